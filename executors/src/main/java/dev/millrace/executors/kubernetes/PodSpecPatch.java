package dev.millrace.executors.kubernetes;

import dev.millrace.executors.StepRefusedException;
import dev.millrace.schemas.yaml.Documents;
import dev.millrace.schemas.yaml.YamlReader;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The {@code podSpecPatch} of a manifest: JSON or YAML, of the workflow or of a template. */
final class PodSpecPatch {

    private PodSpecPatch() {}

    /**
     * The spec with a patch laid on.
     *
     * @param whose for messages
     * @param text null or blank for none
     */
    static ObjectNode apply(ObjectNode spec, String whose, @Nullable String text)
            throws StepRefusedException {
        if (text == null || text.isBlank()) {
            return spec;
        }
        Documents read = YamlReader.read("podSpecPatch", text);
        if (!read.faults().isEmpty()) {
            throw new StepRefusedException(
                    "podSpecPatch of the %s: %s".formatted(whose, read.faults().getFirst()));
        }
        if (read.documents().isEmpty()) {
            return spec;
        }
        if (read.documents().size() > 1
                || !(read.documents().getFirst().tree() instanceof ObjectNode patch)) {
            throw new StepRefusedException(
                    "podSpecPatch of the %s: must be one object, as the spec of a pod is"
                            .formatted(whose));
        }
        ObjectNode patched = StrategicMerge.apply(spec, patch);
        withoutStrangers(patched, spec, "containers", "wait");
        withoutStrangers(patched, spec, "initContainers", "init");
        return patched;
    }

    /**
     * Manifests of this field also patch containers that other engines put beside the user's. Where
     * there is none, nothing is left of the patch that could run.
     */
    private static void withoutStrangers(
            ObjectNode patched, ObjectNode before, String list, String name) {
        for (JsonNode container : before.path(list)) {
            if (container.path("name").asString("").equals(name)) {
                return;
            }
        }
        if (patched.get(list) instanceof ArrayNode containers) {
            containers.removeIf(
                    c -> c.path("name").asString("").equals(name) && !c.hasNonNull("image"));
            if (containers.isEmpty()) {
                patched.remove(list);
            }
        }
    }
}
