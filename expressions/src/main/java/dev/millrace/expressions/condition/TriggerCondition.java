package dev.millrace.expressions.condition;

import dev.millrace.expressions.expr.Environment;
import dev.millrace.expressions.expr.ExprEvaluationException;
import dev.millrace.expressions.expr.ExprOptions;
import dev.millrace.expressions.expr.ExprProgram;
import dev.millrace.expressions.expr.ExprSyntaxException;
import dev.millrace.expressions.expr.ExprType;
import dev.millrace.expressions.govaluate.Govaluate;
import dev.millrace.expressions.govaluate.GovaluateException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * When a trigger runs: names of dependencies with {@code &&}, {@code ||} and parentheses, {@code
 * &&} binding tighter. Immutable and thread safe.
 *
 * <p>A sensor reads such a text in two steps, and its refusals show it: the text is made into an
 * expression that concatenates names and signs as strings, with {@code -} written as {@code _}; the
 * result is the condition proper.
 */
public final class TriggerCondition {

    private final String expression;
    private final Set<String> dependencies;

    /** Null where all dependencies are required. */
    private final @Nullable Govaluate program;

    private TriggerCondition(
            String expression, Set<String> dependencies, @Nullable Govaluate program) {
        this.expression = expression;
        this.dependencies = dependencies;
        this.program = program;
    }

    /** What holds without a condition: every dependency is required. */
    public static TriggerCondition all(List<String> dependencyNames) {
        return new TriggerCondition(
                String.join("&&", dependencyNames), Set.copyOf(dependencyNames), null);
    }

    /**
     * Reads a condition. A name with {@code -} and one with {@code _} in its place are the same;
     * the one declared later counts.
     *
     * @param dependencyNames the declared dependencies, in order
     * @throws TriggerConditionException if the text is refused, with the reason and its place in
     *     the concatenating expression
     */
    public static TriggerCondition parse(String text, List<String> dependencyNames) {
        Map<String, String> names = new HashMap<>();
        Map<String, ExprType> types = new HashMap<>();
        for (String name : dependencyNames) {
            names.put(identifier(name), name);
            if (!isBuiltin(identifier(name))) {
                types.put(identifier(name), ExprType.STRING);
            }
        }
        String expression = concatenate(text, names, types);
        Govaluate program = program(expression, Set.copyOf(dependencyNames));
        return new TriggerCondition(expression, program.parameters(), program);
    }

    private static String identifier(String name) {
        return name.replace('-', '_');
    }

    /**
     * The language's own functions ({@code len}) hide dependencies of the same name; without
     * declarations only they are known.
     */
    private static boolean isBuiltin(String name) {
        try {
            ExprProgram.compile(name, ExprOptions.conditions(Map.of("", ExprType.STRING)));
            return true;
        } catch (ExprSyntaxException e) {
            return false;
        }
    }

    private static String concatenate(
            String text, Map<String, String> names, Map<String, ExprType> types) {
        String source =
                identifier(text)
                        .replace("&&", " + \"&&\" + ")
                        .replace("||", " + \"||\" + ")
                        .replace("(", "\"(\" + ")
                        .replace(")", " + \")\"");
        try {
            Object result =
                    ExprProgram.compile(source, ExprOptions.conditions(types))
                            .evaluate(Environment.of(names));
            if (result instanceof String expression) {
                return expression;
            }
            throw new TriggerConditionException(
                    "the condition \"" + text + "\" names no dependency");
        } catch (ExprSyntaxException | ExprEvaluationException e) {
            throw new TriggerConditionException(String.valueOf(e.getMessage()));
        }
    }

    private static Govaluate program(String expression, Set<String> dependencies) {
        try {
            Govaluate program = Govaluate.parse(expression.replace("-", "\\-"));
            for (String name : program.parameters()) {
                if (!dependencies.contains(name)) {
                    throw new TriggerConditionException("unknown name " + name);
                }
            }
            // Whatever is no condition shows when it is tried out: numbers, texts, other operators.
            for (boolean value : new boolean[] {false, true}) {
                if (!(program.evaluate(name -> value) instanceof Boolean)) {
                    throw new TriggerConditionException(
                            "the condition \"" + expression + "\" is neither true nor false");
                }
            }
            return program;
        } catch (GovaluateException e) {
            throw new TriggerConditionException(String.valueOf(e.getMessage()));
        }
    }

    /** Whether the trigger runs, given the dependencies that have had their event. */
    public boolean isSatisfiedBy(Set<String> satisfied) {
        return program == null
                ? satisfied.containsAll(dependencies)
                : Boolean.TRUE.equals(program.evaluate(satisfied::contains));
    }

    /** The dependencies that the condition mentions, as they were declared. */
    public Set<String> dependencies() {
        return dependencies;
    }

    /** The condition without spaces, with the declared names. */
    public String expression() {
        return expression;
    }

    @Override
    public String toString() {
        return expression;
    }
}
