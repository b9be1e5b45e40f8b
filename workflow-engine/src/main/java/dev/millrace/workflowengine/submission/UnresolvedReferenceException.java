package dev.millrace.workflowengine.submission;

/** A manifest refers to something that is not there; the message says what and where. */
public final class UnresolvedReferenceException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public UnresolvedReferenceException(String message) {
        super(message);
    }
}
