package dev.millrace.expressions.jsonpath;

/** A path is malformed, or leads nowhere. */
public final class JsonPathException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public JsonPathException(String message) {
        super(message, null, false, false);
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
