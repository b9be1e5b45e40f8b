package dev.millrace.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.Json;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** In what workflows differ. */
final class WorkflowComparisonTest {

    private static final String ONE =
            """
            {"metadata":{"name":"ci-a","uid":"u1"},
             "spec":{"entrypoint":"main","arguments":{"parameters":[{"name":"who","value":"ada"}]},
                     "templates":[{"name":"main","container":{"image":"alpine:3"}}]},
             "status":{"phase":"Succeeded","startedAt":"2026-01-01T00:00:00Z","finishedAt":"2026-01-01T00:00:10Z",
               "nodes":{
                 "ci-a":{"id":"ci-a","name":"ci-a","type":"DAG","phase":"Succeeded"},
                 "ci-a-11":{"id":"ci-a-11","name":"ci-a.build","type":"Pod","templateName":"main","phase":"Succeeded",
                   "startedAt":"2026-01-01T00:00:00Z","finishedAt":"2026-01-01T00:00:05Z",
                   "inputs":{"parameters":[{"name":"for","value":"ci-a"}]},
                   "outputs":{"result":"pod ci-a-main-11 of ci-a","exitCode":"0"}}}}}
            """;

    private static JsonNode one() {
        return Json.mapper().readTree(ONE);
    }

    /** The same run under the name of another. */
    private static ObjectNode again() {
        return (ObjectNode)
                Json.mapper()
                        .readTree(
                                ONE.replace("ci-a", "ci-b")
                                        .replace("-11", "-22")
                                        .replace("\"u1\"", "\"u2\""));
    }

    private static ObjectNode build(ObjectNode workflow) {
        return (ObjectNode) workflow.path("status").path("nodes").path("ci-b-22");
    }

    @Test
    void twoRunsOfTheSameThingAreTheSameWhateverTheyAreCalledAndTook() {
        ObjectNode again = again();
        build(again).put("finishedAt", "2026-01-01T00:00:09Z");
        ObjectNode comparison = WorkflowComparison.of(one(), again);
        assertThat(comparison.path("same").asBoolean()).isTrue();
        assertThat(ComparisonText.render(comparison, "ci-a", "ci-b"))
                .containsExactly("ci-a and ci-b are the same", "build", "  duration: 5s → 9s");
    }

    @Test
    void aTextThatHappensToHoldTheNameOfOneIsNoDifference() {
        ObjectNode left = (ObjectNode) Json.mapper().readTree(ONE.replace("ci-a", "hello"));
        ObjectNode right = again();
        for (JsonNode workflow : List.of(left, right)) {
            ((ObjectNode) workflow.path("status")).put("message", "hello world");
        }
        assertThat(WorkflowComparison.of(left, right).path("workflow").isEmpty()).isTrue();
    }

    @Test
    void whatDiffersIsToldByNode() {
        ObjectNode again = again();
        ObjectNode status = (ObjectNode) again.path("status");
        status.put("phase", "Failed").put("message", "two\nlines");
        build(again).put("phase", "Failed").withObject("/outputs").put("exitCode", "3");
        ((ObjectNode) build(again).path("inputs").path("parameters").path(0)).put("value", "");
        ((ObjectNode) status.path("nodes"))
                .putObject("ci-b-33")
                .put("id", "ci-b-33")
                .put("name", "ci-b.onExit")
                .put("phase", "Succeeded");
        ((ObjectNode) again.path("spec").path("arguments").path("parameters").path(0))
                .put("value", "bob");
        ((ObjectNode) again.path("spec").path("templates").path(0).path("container"))
                .put("image", "alpine:4");
        ObjectNode comparison = WorkflowComparison.of(one(), again);
        assertThat(comparison.path("same").asBoolean()).isFalse();
        assertThat(ComparisonText.render(comparison, "ci-a", "ci-b"))
                .containsExactly(
                        "--- ci-a",
                        "+++ ci-b",
                        "workflow",
                        "  phase: Succeeded → Failed",
                        "  message: (none) → \"two\\nlines\"",
                        "parameters",
                        "  who: ada → bob",
                        "only in ci-b",
                        "  onExit (Succeeded)",
                        "build",
                        "  phase: Succeeded → Failed",
                        "  inputs.parameters.for: ci-a → \"\"",
                        "  outputs.exitCode: 0 → 3",
                        "spec",
                        "  @@ -4,3 +4,3 @@",
                        "     - name: main",
                        "       container:",
                        "  -      image: alpine:3",
                        "  +      image: alpine:4");
    }

    @Test
    void eachKindOfDifferenceAloneMakesThemDiffer() {
        List<java.util.function.Consumer<ObjectNode>> changes =
                List.of(
                        w -> ((ObjectNode) w.path("status")).put("phase", "Error"),
                        w -> ((ObjectNode) w.path("spec")).put("entrypoint", "other"),
                        w -> ((ObjectNode) w.path("spec")).remove("arguments"),
                        w -> build(w).put("message", "m"),
                        w -> build(w).put("templateName", "other"),
                        w -> build(w).remove("outputs"),
                        w -> ((ObjectNode) w.path("status").path("nodes")).remove("ci-b-22"));
        for (int i = 0; i < changes.size(); i++) {
            ObjectNode again = again();
            changes.get(i).accept(again);
            assertThat(WorkflowComparison.of(one(), again).path("same").asBoolean())
                    .as("change %d", i)
                    .isFalse();
        }
    }
}
