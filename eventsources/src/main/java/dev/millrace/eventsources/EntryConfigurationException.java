package dev.millrace.eventsources;

/** An entry cannot work as it is written; the message says where and what to do. */
public final class EntryConfigurationException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public EntryConfigurationException(String message) {
        super(message);
    }
}
