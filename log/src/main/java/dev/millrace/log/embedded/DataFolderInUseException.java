package dev.millrace.log.embedded;

/** Another process owns the data folder; the message names it and the cure. */
public final class DataFolderInUseException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public DataFolderInUseException(String message) {
        super(message);
    }
}
