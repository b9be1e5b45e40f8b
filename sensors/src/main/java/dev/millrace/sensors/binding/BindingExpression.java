package dev.millrace.sensors.binding;

import dev.millrace.expressions.expr.Environment;
import dev.millrace.expressions.expr.ExprEvaluationException;
import dev.millrace.expressions.expr.ExprOptions;
import dev.millrace.expressions.expr.ExprProgram;
import dev.millrace.expressions.expr.ExprSyntaxException;
import dev.millrace.schemas.yaml.DocumentPath;
import org.jspecify.annotations.Nullable;

/**
 * One expression of a binding.
 *
 * @param path where it stands in the manifest
 * @param name what errors call it
 * @param program null if the text is no expression
 * @param broken why, if it is none
 */
record BindingExpression(
        DocumentPath path, String name, @Nullable ExprProgram program, @Nullable String broken) {

    /** A name that is not there is nil, as an event may lack any field. */
    private static final ExprOptions OPTIONS = ExprOptions.workflows().withUndefinedVariables(true);

    static BindingExpression of(DocumentPath path, String name, String text) {
        try {
            return new BindingExpression(path, name, ExprProgram.compile(text, OPTIONS), null);
        } catch (ExprSyntaxException e) {
            return new BindingExpression(path, name, null, e.getMessage());
        }
    }

    /**
     * @throws BindingException if it cannot be evaluated
     */
    @Nullable Object evaluate(Environment environment) {
        if (program == null) {
            throw failed(String.valueOf(broken));
        }
        try {
            return program.evaluate(environment);
        } catch (ExprEvaluationException e) {
            throw failed(e.getMessage());
        }
    }

    /**
     * @throws BindingException if it gives no text
     */
    String text(Environment environment) {
        Object value = evaluate(environment);
        if (value instanceof String text) {
            return text;
        }
        throw new BindingException(
                "workflow %s expression must evaluate to a string, not to %s"
                        .formatted(name, value == null ? "nil" : ExprProgram.render(value)));
    }

    private BindingException failed(String why) {
        return new BindingException("failed to evaluate workflow " + name + " expression: " + why);
    }
}
