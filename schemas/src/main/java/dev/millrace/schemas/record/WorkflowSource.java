package dev.millrace.schemas.record;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What a workflow was started from; it does not change while it runs (but for the global values put
 * into the spec at the start).
 *
 * @param manifest what the user wrote
 * @param spec what runs
 * @param storedTemplates templates of other objects, by {@code scope/object/template}
 * @param artifactRepository where artifacts go that name no place of their own, absent if there is
 *     none
 */
public record WorkflowSource(
        JsonNode manifest,
        JsonNode spec,
        Map<String, JsonNode> storedTemplates,
        @Nullable JsonNode artifactRepository) {

    public WorkflowSource {
        storedTemplates = storedTemplates == null ? Map.of() : storedTemplates;
    }
}
