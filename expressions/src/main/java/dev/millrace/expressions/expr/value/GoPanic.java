package dev.millrace.expressions.expr.value;

/** An operation refused its operands. Carries no position: the node that was evaluated adds it. */
public final class GoPanic extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public GoPanic(String message) {
        // No stack trace: a failed expression is an ordinary outcome and must stay cheap.
        super(message, null, false, false);
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
