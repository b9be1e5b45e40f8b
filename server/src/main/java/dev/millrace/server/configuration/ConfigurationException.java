package dev.millrace.server.configuration;

/** A setting is wrong; the message says which, where and what is allowed. */
public final class ConfigurationException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public ConfigurationException(String message) {
        super(message);
    }
}
