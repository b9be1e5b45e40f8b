package dev.millrace.expressions.duration;

/** A text is not a duration; the message is that of Go's {@code time.ParseDuration}. */
public final class DurationSyntaxException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    public DurationSyntaxException(String message) {
        super(message);
    }
}
