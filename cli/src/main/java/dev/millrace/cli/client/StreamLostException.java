package dev.millrace.cli.client;

import java.io.IOException;

/** A stream broke off before its end; it can be opened again. */
public final class StreamLostException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public StreamLostException(IOException cause) {
        super(cause);
    }
}
