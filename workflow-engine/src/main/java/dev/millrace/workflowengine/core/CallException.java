package dev.millrace.workflowengine.core;

/** A call cannot be made; the message is the node's. Thrown and caught within the core. */
final class CallException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String reason;

    CallException(String message) {
        super(message, null, false, false);
        this.reason = message;
    }

    @Override
    public String getMessage() {
        return reason;
    }
}
