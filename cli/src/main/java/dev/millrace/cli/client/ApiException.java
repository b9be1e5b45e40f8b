package dev.millrace.cli.client;

/** The server's refusal of a request. */
public final class ApiException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int status;

    /**
     * @param status of HTTP
     * @param message the server's
     */
    public ApiException(int status, String message) {
        super(message);
        this.status = status;
    }

    public int status() {
        return status;
    }

    public boolean isNotFound() {
        return status == 404;
    }

    public String text() {
        return String.valueOf(getMessage());
    }
}
