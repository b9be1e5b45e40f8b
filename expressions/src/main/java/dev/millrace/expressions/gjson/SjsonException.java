package dev.millrace.expressions.gjson;

/** A value cannot be written at a path; the message is sjson's. */
public final class SjsonException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    public SjsonException(String message) {
        super(message);
    }
}
