package dev.millrace.executors.kubernetes;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.StepSpec;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a pod remembers of its step, as the text of an annotation: enough to say how the step ended,
 * for a server that knows nothing but the pod. Its own containers are the pod's to know; here they
 * are names.
 */
final class StepMemory {

    /** What the end of a step is read with. */
    private static final List<String> KEPT =
            List.of("name", "outputs", "daemon", "archiveLocation", "data");

    private StepMemory() {}

    /** The text for a step. */
    static String write(StepSpec step) {
        ObjectNode all = (ObjectNode) Json.tree(step);
        ObjectNode template = (ObjectNode) all.path("template");
        ObjectNode kept = Json.object();
        KEPT.forEach(field -> copy(template, field, kept));
        for (String one : List.of("container", "script")) {
            if (template.path(one).isObject()) {
                kept.putObject(one);
            }
        }
        for (String several : List.of("initContainers", "sidecars")) {
            names(template.path(several), kept, several);
        }
        JsonNode set = template.path("containerSet");
        if (set.isObject()) {
            names(set.path("containers"), kept.putObject("containerSet"), "containers");
        }
        all.remove("pods");
        all.set("template", kept);
        return all.toString();
    }

    /**
     * The step that a text tells of, with as much of its template as it keeps.
     *
     * @throws IllegalArgumentException if somebody else has written it
     */
    static StepSpec read(String text) {
        try {
            return Json.mapper().readValue(text, StepSpec.class);
        } catch (JacksonException e) {
            throw new IllegalArgumentException(
                    "the annotation does not tell of a step: " + e.getOriginalMessage(), e);
        }
    }

    private static void names(JsonNode containers, ObjectNode to, String field) {
        if (!containers.isArray() || containers.isEmpty()) {
            return;
        }
        ArrayNode kept = to.putArray(field);
        for (JsonNode container : containers) {
            ObjectNode one = kept.addObject();
            copy(container, "name", one);
            copy(container, "restartPolicy", one);
        }
    }

    private static void copy(JsonNode from, String field, ObjectNode to) {
        @Nullable JsonNode value = from.get(field);
        if (value != null && !value.isNull()) {
            to.set(field, value);
        }
    }
}
