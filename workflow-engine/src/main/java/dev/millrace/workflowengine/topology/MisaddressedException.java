package dev.millrace.workflowengine.topology;

/**
 * A record that says nothing about the workflow under whose key it stands; that workflow is not to
 * blame for it.
 */
final class MisaddressedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MisaddressedException(String message) {
        super(message);
    }
}
