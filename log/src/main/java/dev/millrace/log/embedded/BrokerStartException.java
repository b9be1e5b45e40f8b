package dev.millrace.log.embedded;

import org.jspecify.annotations.Nullable;

/** The embedded broker could not be started; the message says why and what to do. */
public final class BrokerStartException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public BrokerStartException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
