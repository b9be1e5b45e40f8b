package dev.millrace.schemas.record;

import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * What a workflow was started from; it does not change while it runs (but for the global values put
 * into the spec at the start).
 *
 * @param manifest what the user wrote
 * @param spec what runs
 * @param storedTemplates templates of other objects, by {@code scope/object/template}
 */
public record WorkflowSource(
        JsonNode manifest, JsonNode spec, Map<String, JsonNode> storedTemplates) {

    public WorkflowSource {
        storedTemplates = storedTemplates == null ? Map.of() : storedTemplates;
    }
}
