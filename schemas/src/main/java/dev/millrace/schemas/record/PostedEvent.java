package dev.millrace.schemas.record;

/** How events that are posted to the API stand in {@code events}, for WorkflowEventBindings. */
public final class PostedEvent {

    /** Their source. No EventSource can have this name, so none can be mistaken for another. */
    public static final String SOURCE = "_events";

    /** Their CloudEvent type; the subject is the discriminator. */
    public static final String TYPE = "posted";

    /**
     * {@code trigger} of decisions and activations that come of them; {@code sensor} is the name of
     * the binding.
     */
    public static final String TRIGGER = "submit";

    /** {@code kind} of these decisions and activations. */
    public static final String KIND = "WorkflowEventBinding";

    /**
     * {@code outcome} of the last decision of the matcher about such an event, which has no {@code
     * sensor}: all bindings of the namespace have been asked.
     */
    public static final String ASKED = "asked";

    private PostedEvent() {}
}
