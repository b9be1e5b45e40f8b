package dev.millrace.schemas.record;

import java.util.List;
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
 * @param submitted the spec before the global values were put in, absent if it is the same
 * @param configMaps data of the ConfigMaps that parameters may come from, as they stood at the
 *     submission
 * @param carried steps that an earlier workflow did, by node name without the workflow's
 * @param estimate how long it is expected to take, absent if there is nothing to go by
 * @param warnings what was said of the manifest when it was accepted, a line each
 */
public record WorkflowSource(
        JsonNode manifest,
        JsonNode spec,
        Map<String, JsonNode> storedTemplates,
        @Nullable JsonNode artifactRepository,
        @Nullable JsonNode submitted,
        Map<String, Map<String, String>> configMaps,
        Map<String, Carried> carried,
        @Nullable Estimate estimate,
        List<String> warnings) {

    public WorkflowSource {
        storedTemplates = storedTemplates == null ? Map.of() : storedTemplates;
        configMaps = configMaps == null ? Map.of() : configMaps;
        carried = carried == null ? Map.of() : carried;
        warnings = warnings == null ? List.of() : List.copyOf(warnings);
    }

    /** A source that says no more than what runs. */
    public WorkflowSource(
            JsonNode manifest,
            JsonNode spec,
            Map<String, JsonNode> storedTemplates,
            @Nullable JsonNode artifactRepository) {
        this(
                manifest,
                spec,
                storedTemplates,
                artifactRepository,
                null,
                Map.of(),
                Map.of(),
                null,
                List.of());
    }

    /** The spec as it was submitted. */
    public JsonNode original() {
        return submitted == null ? spec : submitted;
    }

    /** The same source with another spec to run, made of {@code submitted}. */
    public WorkflowSource running(JsonNode spec, JsonNode submitted) {
        return with(manifest, spec, submitted.equals(spec) ? null : submitted);
    }

    /** The same source of another manifest. */
    public WorkflowSource with(JsonNode manifest, JsonNode spec, @Nullable JsonNode submitted) {
        return new WorkflowSource(
                manifest,
                spec,
                storedTemplates,
                artifactRepository,
                submitted,
                configMaps,
                carried,
                estimate,
                warnings);
    }
}
