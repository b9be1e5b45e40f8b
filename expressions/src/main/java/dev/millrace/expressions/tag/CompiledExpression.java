package dev.millrace.expressions.tag;

import dev.millrace.expressions.expr.ExprOptions;
import dev.millrace.expressions.expr.ExprProgram;
import dev.millrace.expressions.expr.ExprSyntaxException;
import dev.millrace.expressions.gojson.GoJson;
import dev.millrace.expressions.gojson.GoJsonException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The program of an expression tag, compiled on first use and kept. The source means different
 * programs in plain text and in JSON text (where a quote is written {@code \"}), so there are two.
 */
final class CompiledExpression {

    private final String source;
    private volatile @Nullable Kept plain;
    private volatile @Nullable Kept unescaped;

    /** What was compiled last, and with which functions. */
    private record Kept(ExprOptions options, Compiled compiled) {}

    sealed interface Compiled {}

    /** A program, the names it reads and the member paths it reads them by. */
    record Program(ExprProgram program, Set<String> variables, Set<List<String>> paths)
            implements Compiled {}

    /** The source is no expression. */
    record Broken(String message) implements Compiled {}

    CompiledExpression(String source) {
        this.source = source;
    }

    Compiled get(boolean jsonEscaped, ExprOptions options) {
        // Two threads may compile the same source once each; both results are equal.
        Kept kept = jsonEscaped ? unescaped : plain;
        if (kept != null && kept.options() == options) {
            return kept.compiled();
        }
        Compiled compiled = compile(jsonEscaped, options);
        if (jsonEscaped) {
            unescaped = new Kept(options, compiled);
        } else {
            plain = new Kept(options, compiled);
        }
        return compiled;
    }

    private Compiled compile(boolean jsonEscaped, ExprOptions options) {
        try {
            ExprProgram program =
                    ExprProgram.compile(jsonEscaped ? GoJson.unescape(source) : source, options);
            return new Program(
                    program, Set.copyOf(program.variables()), Set.copyOf(program.memberPaths()));
        } catch (GoJsonException e) {
            return new Broken("failed to unmarshall JSON expression: " + e.getMessage());
        } catch (ExprSyntaxException e) {
            return new Broken(
                    "failed to evaluate expression: " + e.getMessage() + "\n" + e.snippet());
        }
    }
}
