package dev.millrace.cli.client;

/** No answer came; the message says from where, and what to do. */
public final class UnreachableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public UnreachableException(String message, Throwable cause) {
        super(message, cause);
    }

    public String text() {
        return String.valueOf(getMessage());
    }
}
