package dev.millrace.expressions.govaluate;

/** A condition cannot be parsed or evaluated; the message is govaluate's. */
public final class GovaluateException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public GovaluateException(String message) {
        super(message);
    }
}
