package dev.millrace.server.api;

/** The port of the API is taken; the message says what to do. */
public final class PortInUseException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    PortInUseException(String bind, int port, Throwable cause) {
        super(
                "Port %d of %s is in use by another process (ss -ltnp shows which one). Stop that one, or choose another port with --port."
                        .formatted(port, bind),
                cause);
    }
}
