package dev.millrace.executors.kubernetes;

import dev.millrace.executors.StepRefusedException;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.StepSpec;
import dev.millrace.schemas.workflow.Artifact;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Texts that reach a pod as files without anything that fetches them: each is an annotation, which
 * the downward API shows as a file.
 */
final class HandedFiles {
    /** Where a script lies, as manifests of this field expect it. */
    static final String SCRIPT = "/argo/staging/script";

    /** What the API server allows in the annotations of an object, names and values together. */
    static final int MAX_BYTES = 256 * 1024;

    private static final String PREFIX = "millrace.dev/";
    private static final String SCRIPTS = "millrace-script";
    private static final String INPUTS = "millrace-inputs";

    private final Map<String, String> annotations = new LinkedHashMap<>();
    private final ArrayNode volumes = Json.mapper().createArrayNode();
    private final ArrayNode mounts = Json.mapper().createArrayNode();

    /** The files of a step: a script's source and raw artifacts. */
    static HandedFiles of(StepSpec step) throws StepRefusedException {
        HandedFiles files = new HandedFiles();
        if (step.template().script() != null) {
            ArrayNode items = files.volume(SCRIPTS);
            files.item(items, "script", "script", step.template().script().source(), 0755);
            files.mounts
                    .addObject()
                    .put("name", SCRIPTS)
                    .put("mountPath", SCRIPT.substring(0, SCRIPT.lastIndexOf('/')))
                    .put("readOnly", true);
        }
        files.artifacts(step);
        return files;
    }

    private void artifacts(StepSpec step) throws StepRefusedException {
        if (step.template().inputs() == null) {
            return;
        }
        ArrayNode items = null;
        int number = 0;
        for (Artifact artifact : step.template().inputs().artifacts()) {
            if (artifact.raw() == null || artifact.path() == null) {
                continue;
            }
            if (items == null) {
                items = volume(INPUTS);
            }
            // By number: names of artifacts are looser than those of annotations.
            String file = "input-" + number++;
            item(items, file, file, artifact.raw().path("data").asString(""), mode(artifact));
            mounts.addObject()
                    .put("name", INPUTS)
                    .put("mountPath", artifact.path())
                    .put("subPath", file)
                    .put("readOnly", true);
        }
    }

    private static int mode(Artifact artifact) throws StepRefusedException {
        JsonNode mode = artifact.mode();
        int bits = mode == null || mode.isNull() ? 0644 : mode.asInt(-1);
        if (bits < 0 || bits > 0777) {
            throw new StepRefusedException(
                    "inputs artifact %s: mode %s is not one of a file (0 to 0777)"
                            .formatted(artifact.name(), mode));
        }
        return bits;
    }

    private ArrayNode volume(String name) {
        ObjectNode volume = volumes.addObject().put("name", name);
        return volume.putObject("downwardAPI").putArray("items");
    }

    private void item(ArrayNode items, String annotation, String file, String text, int mode) {
        String key = PREFIX + annotation;
        annotations.put(key, text);
        ObjectNode item = items.addObject().put("path", file).put("mode", mode);
        item.putObject("fieldRef").put("fieldPath", "metadata.annotations['" + key + "']");
    }

    /** To be added to the pod's metadata. */
    Map<String, String> annotations() {
        return annotations;
    }

    /** To be added to the pod's volumes. */
    ArrayNode volumes() {
        return volumes;
    }

    /** To be added to the mounts of each main container. */
    ArrayNode mounts() {
        return mounts;
    }

    /**
     * Checks that the API server will take these annotations.
     *
     * @param all of the pod
     */
    static void check(Map<String, String> all) throws StepRefusedException {
        long bytes = 0;
        for (Map.Entry<String, String> entry : all.entrySet()) {
            bytes += entry.getKey().getBytes(StandardCharsets.UTF_8).length;
            bytes += entry.getValue().getBytes(StandardCharsets.UTF_8).length;
        }
        if (bytes > MAX_BYTES) {
            throw new StepRefusedException(
                    "the script, the raw artifacts and the annotations of the pod have %d bytes together, more than the %d that Kubernetes allows; put the text into the image, a ConfigMap or an artifact"
                            .formatted(bytes, MAX_BYTES));
        }
    }
}
