package dev.millrace.expressions.gojson;

/** A text is not JSON; the message is that of Go's {@code encoding/json}. */
public final class GoJsonException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    public GoJsonException(String message) {
        super(message);
    }
}
