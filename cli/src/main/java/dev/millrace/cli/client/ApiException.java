package dev.millrace.cli.client;

import java.util.List;

/** The server's refusal of a request. */
public final class ApiException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int status;
    private final transient List<Problem> problems;

    /**
     * Something that is wrong with the manifest that was sent.
     *
     * @param path of the member concerned, such as {@code spec.templates[0]}; empty for the whole
     * @param hint what to do, may be empty
     */
    public record Problem(boolean isError, String path, String message, String hint) {}

    /**
     * @param status of HTTP
     * @param message the server's
     * @param problems what the message is made of, if the manifest is wrong
     */
    public ApiException(int status, String message, List<Problem> problems) {
        super(message);
        this.status = status;
        this.problems = List.copyOf(problems);
    }

    public List<Problem> problems() {
        return problems;
    }

    /** Whether the server cannot answer just now, for instance because it is starting. */
    public boolean isTemporary() {
        return status == 503 || status == 504;
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
