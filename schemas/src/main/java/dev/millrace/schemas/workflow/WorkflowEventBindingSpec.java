package dev.millrace.schemas.workflow;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Starts a workflow of a template for events that are posted to the API. All expressions are of the
 * expr language, over {@code payload}, {@code metadata}, {@code discriminator} and {@code
 * namespace}.
 *
 * @param submit absent: the events are only looked at
 */
public record WorkflowEventBindingSpec(EventSelection event, @Nullable Submit submit) {

    /**
     * Which events it is about.
     *
     * @param selector an expression that gives true or false
     */
    public record EventSelection(String selector) {}

    /**
     * What to start.
     *
     * @param arguments parameters whose {@code valueFrom.event} is an expression
     */
    public record Submit(
            WorkflowTemplateRef workflowTemplateRef,
            @Nullable SubmitMetadata metadata,
            @Nullable Arguments arguments) {}

    /** Metadata of the workflow; every value is an expression that gives a text. */
    public record SubmitMetadata(
            @Nullable String name,
            @Nullable String generateName,
            Map<String, String> labels,
            Map<String, String> annotations) {

        public SubmitMetadata {
            labels = labels == null ? Map.of() : labels;
            annotations = annotations == null ? Map.of() : annotations;
        }
    }
}
