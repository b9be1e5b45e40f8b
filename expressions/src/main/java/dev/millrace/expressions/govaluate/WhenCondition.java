package dev.millrace.expressions.govaluate;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The {@code when} of a step, a task, a cron workflow or a metric, after its tags have been
 * replaced.
 */
public final class WhenCondition {

    private WhenCondition() {}

    /** What a condition says. */
    public sealed interface Outcome {

        /** The step runs. */
        record True() implements Outcome {}

        /** The step is skipped. */
        record False() implements Outcome {}

        /** The step is in error; the message is the workflow controller's. */
        record Invalid(String message) implements Outcome {}
    }

    /**
     * Bare words count as strings; an empty condition is true; a result that is not a boolean is
     * invalid.
     */
    public static Outcome evaluate(String substituted) {
        if (substituted.isEmpty()) {
            return new Outcome.True();
        }
        List<Token> tokens;
        try {
            tokens = Tokenizer.tokenize(substituted);
            Planner.plan(tokens);
        } catch (GovaluateException e) {
            String message = String.valueOf(e.getMessage());
            String hint =
                    message.contains("Invalid token")
                            ? " (hint: try wrapping the affected expression in quotes (\"))"
                            : "";
            return new Outcome.Invalid(
                    "Invalid 'when' expression '" + substituted + "': " + message + hint);
        }
        Govaluate condition;
        try {
            condition = Govaluate.of(Govaluate.wordsAsStrings(tokens));
        } catch (GovaluateException e) {
            return new Outcome.Invalid(
                    "Failed to parse 'when' expression '" + substituted + "': " + e.getMessage());
        }
        try {
            return verdict(substituted, condition.evaluate(name -> null));
        } catch (GovaluateException e) {
            // The spelling is the controller's; people search for it.
            return new Outcome.Invalid(
                    "Failed to evaluate 'when' expresion '" + substituted + "': " + e.getMessage());
        }
    }

    private static Outcome verdict(String substituted, @Nullable Object result) {
        if (result instanceof Boolean value) {
            return value ? new Outcome.True() : new Outcome.False();
        }
        return new Outcome.Invalid(
                "Expected boolean evaluation for '" + substituted + "'. Got " + GoText.of(result));
    }
}
