package dev.millrace.workflowengine.model;

/** There is no slot for a call now. */
final class Full extends Exception {
    private static final long serialVersionUID = 1;
}
