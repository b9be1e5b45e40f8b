package dev.millrace.workflowengine.model;

/** A call that cannot be made. */
final class Unfit extends Exception {
    private static final long serialVersionUID = 1;

    Unfit(String message) {
        super(message);
    }

    String text() {
        return String.valueOf(getMessage());
    }
}
