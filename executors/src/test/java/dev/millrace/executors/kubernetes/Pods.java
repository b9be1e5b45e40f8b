package dev.millrace.executors.kubernetes;

import dev.millrace.executors.Images;
import dev.millrace.executors.StepRefusedException;
import dev.millrace.executors.Steps;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.PodSettings;
import dev.millrace.schemas.record.StepSpec;
import dev.millrace.schemas.workflow.Template;
import dev.millrace.schemas.yaml.Documents;
import dev.millrace.schemas.yaml.YamlReader;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Pods for tests. */
final class Pods {
    static final PodSetup SETUP =
            new PodSetup(
                    "helper:1",
                    new Images(Map.of("known", List.of("/known", "start"))),
                    null,
                    null);

    private Pods() {}

    /** The step of a text in YAML: {@code template}, and what else is particular to it. */
    static StepSpec step(String yaml) {
        Documents read = YamlReader.read("step", yaml);
        if (!read.faults().isEmpty()) {
            throw new IllegalArgumentException(read.faults().toString());
        }
        JsonNode tree = read.documents().getFirst().tree();
        return new StepSpec(
                "abc123",
                Steps.WORKFLOW,
                "wf-123",
                "wf[0].a",
                "wf-main-123",
                Json.convert(tree.path("template"), Template.class),
                false,
                tree.has("deadlineSeconds") ? tree.path("deadlineSeconds").asLong() : null,
                tree.path("exitHandler").asBoolean(false),
                tree.has("pods") ? Json.convert(tree.path("pods"), PodSettings.class) : null);
    }

    static Pod of(String yaml) throws StepRefusedException {
        return StepPod.of(step(yaml), SETUP, null);
    }
}
