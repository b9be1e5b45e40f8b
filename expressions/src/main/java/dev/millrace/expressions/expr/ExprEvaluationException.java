package dev.millrace.expressions.expr;

/**
 * Evaluating a program failed. The message ends with the place as {@code (line:column)}, both from
 * 1.
 */
public final class ExprEvaluationException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String snippet;

    ExprEvaluationException(String message, Position position) {
        super(message + " " + position.lineAndColumn(), null, false, false);
        this.snippet = position.snippet();
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }

    /**
     * The offending line with a mark under the place, on two lines that each start with {@code " |
     * "}.
     */
    public String snippet() {
        return snippet;
    }
}
