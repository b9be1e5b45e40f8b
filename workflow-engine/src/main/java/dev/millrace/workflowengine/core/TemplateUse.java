package dev.millrace.workflowengine.core;

import dev.millrace.schemas.workflow.TemplateRef;
import tools.jackson.databind.JsonNode;

/** How a caller names the template that it calls. */
sealed interface TemplateUse {

    /** A template of the same object. */
    record Named(String template) implements TemplateUse {}

    /** A template of another stored object. */
    record Ref(TemplateRef ref) implements TemplateUse {}

    /** A body that stands in the call. */
    record Inline(JsonNode body) implements TemplateUse {}
}
