package dev.millrace.expressions.expr;

/**
 * The source text cannot be compiled. The message ends with the place as {@code (line:column)},
 * both from 1.
 */
public final class ExprSyntaxException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String snippet;

    ExprSyntaxException(String message, Position position) {
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
