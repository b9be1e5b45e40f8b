package dev.millrace.expressions.expr;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A compiled expression. Immutable; any number of threads may evaluate it at once. */
public final class ExprProgram {

    private ExprProgram() {}

    /**
     * @throws ExprSyntaxException if the text is no expression, or its types cannot fit
     */
    public static ExprProgram compile(String source, ExprOptions options) {
        return new ExprProgram();
    }

    /**
     * @return the value: Long (int), Double (float64), String, Boolean, null (nil), List, Map, ZonedDateTime, Duration
     * @throws ExprEvaluationException if an operation refuses its operands or a variable is missing
     */
    public @Nullable Object evaluate(Environment env) {
        return null;
    }

    /** The top-level names that the program reads from its environment. */
    public Set<String> variables() {
        return Set.of();
    }

    /** The longest member paths that stand in the text, for instance {@code [steps, a, outputs, result]}. */
    public Set<List<String>> memberPaths() {
        return Set.of();
    }

    /** The text that stands for a value in a template: a string as it is, anything else as JSON in Go's form. */
    public static String render(@Nullable Object value) {
        return String.valueOf(value);
    }
}
