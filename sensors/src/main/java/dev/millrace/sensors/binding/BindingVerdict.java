package dev.millrace.sensors.binding;

import tools.jackson.databind.node.ObjectNode;

/** What a binding says about an event. */
public sealed interface BindingVerdict {

    /**
     * The event starts a workflow.
     *
     * @param workflow a Workflow that refers to its template; its name may be to be generated
     */
    record Submits(ObjectNode workflow) implements BindingVerdict {}

    /** The event is not for it, or it has nothing to submit. */
    record Passes(String reason) implements BindingVerdict {}

    /** The selector has no value, so nobody knows whether the event was for it. */
    record Undecided(String message) implements BindingVerdict {}

    /** The event was for it, but the workflow cannot be made. */
    record Failed(String message) implements BindingVerdict {}
}
