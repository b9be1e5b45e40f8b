package dev.millrace.workflowengine.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.log.serde.JsonSerde;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.LargeSubmission;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.StepCommand;
import dev.millrace.schemas.record.WorkflowCommand;
import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.schemas.record.WorkflowPhase;
import dev.millrace.schemas.record.WorkflowTransition;
import dev.millrace.workflowengine.core.WorkflowMachine;
import dev.millrace.workflowengine.state.Evolution;
import dev.millrace.workflowengine.state.InMemoryWorkflow;
import dev.millrace.workflowengine.view.WorkflowView;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.StringJoiner;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** No record is larger than 256 KiB because its workflow is large. */
final class RecordSizeTest {
    private static final int LIMIT = 256 * 1024;
    private static final String NAME = "large";

    @Test
    void aManifestOfMegabytesIsCarriedInSmallRecords() {
        JsonNode spec = Json.mapper().readTree(dag(3_000));
        List<WorkflowCommand> commands = LargeSubmission.split(submit("c1", spec));
        assertThat(commands).hasSizeGreaterThan(2);
        try (EngineDriver engine = new EngineDriver(new WorkflowMachine()::decide)) {
            commands.forEach(engine::send);
            commands.forEach(c -> assertThat(size(WorkflowCommand.class, c)).isLessThan(LIMIT));
            engine.pass(Duration.ofMillis(50));
            engine.finish(Objects.requireNonNull(engine.waiting.poll()), NodePhase.SUCCEEDED);

            assertThat(engine.deadLetters).isEmpty();
            assertThat(Objects.requireNonNull(engine.answer("c1")).accepted()).isTrue();
            assertSmall(engine);
            assertThat(engine.storedKeys()).noneMatch(key -> key.contains("upload"));
            InMemoryWorkflow seen = fold(engine);
            assertThat(WorkflowView.render(seen, "1").path("spec")).isEqualTo(spec);
            assertThat(Objects.requireNonNull(seen.source()).spec().path("templates"))
                    .isEqualTo(spec.path("templates"));
            assertThat(engine.state(NAME).source()).isEqualTo(seen.source());
        }
    }

    @Test
    void theEndOfALoopWithThousandsOfItemsIsSeveralRecords() {
        String spec =
                """
                {"entrypoint": "main", "templates": [
                  {"name": "main", "steps": [
                    [{"name": "each", "template": "noop", "withSequence": {"count": "12000"}}],
                    [{"name": "last", "template": "noop"}]]},
                  {"name": "noop", "container": {"image": "busybox"}}]}""";
        try (EngineDriver engine = new EngineDriver(new WorkflowMachine()::decide)) {
            engine.send(submit("c1", Json.mapper().readTree(spec)));
            engine.run();
            for (int i = 0; i < 20; i++) {
                engine.pass(Duration.ofMillis(50));
                engine.run();
            }

            assertThat(engine.deadLetters).isEmpty();
            assertSmall(engine);
            InMemoryWorkflow seen = fold(engine);
            assertThat(Objects.requireNonNull(seen.head()).phase())
                    .isEqualTo(WorkflowPhase.SUCCEEDED);
            JsonNode nodes = WorkflowView.render(seen, "1").path("status").path("nodes");
            assertThat(nodes.size()).isEqualTo(12_000 + 4);
            // What follows hangs below each item, and those that ended last are the workflow's
            // ends.
            String next = nodeId(nodes, "[1]");
            assertThat(items(nodes))
                    .hasSize(12_000)
                    .allSatisfy(i -> assertThat(texts(i.path("children"))).containsExactly(next));
            assertThat(texts(nodes.path(NAME).path("outboundNodes")))
                    .containsExactly(nodeId(nodes, "last"));
            assertThat(engine.state(NAME).nodes()).hasSize(12_000 + 4);
        }
    }

    @Test
    void whatWaitsForALargeLoopOfADagHangsBelowEachItem() {
        String spec =
                """
                {"entrypoint": "main", "templates": [
                  {"name": "main", "dag": {"tasks": [
                    {"name": "each", "template": "noop", "withSequence": {"count": "3000"}},
                    {"name": "last", "template": "noop", "depends": "each"},
                    {"name": "beside", "template": "noop", "withSequence": {"count": "3000"}}]}},
                  {"name": "noop", "container": {"image": "busybox"}}]}""";
        try (EngineDriver engine = new EngineDriver(new WorkflowMachine()::decide)) {
            engine.send(submit("c1", Json.mapper().readTree(spec)));
            engine.run();

            assertSmall(engine);
            JsonNode nodes = WorkflowView.render(fold(engine), "1").path("status").path("nodes");
            String last = nodeId(nodes, "last");
            assertThat(items(nodes))
                    .filteredOn(i -> i.path("displayName").asString("").startsWith("each"))
                    .hasSize(3_000)
                    .allSatisfy(i -> assertThat(texts(i.path("children"))).containsExactly(last));
            assertThat(texts(nodes.path(NAME).path("outboundNodes"))).hasSize(3_001).contains(last);
        }
    }

    private static List<JsonNode> items(JsonNode nodes) {
        return nodes.values().stream()
                .filter(n -> n.path("displayName").asString("").contains("("))
                .toList();
    }

    private static String nodeId(JsonNode nodes, String displayName) {
        return nodes.values().stream()
                .filter(n -> n.path("displayName").asString("").equals(displayName))
                .map(n -> n.path("id").asString(""))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> texts(JsonNode list) {
        return list.values().stream().map(v -> v.asString("")).toList();
    }

    @Test
    void aSubmissionWhosePartsAreMissingIsRefusedAndHarmsNothing() {
        JsonNode spec = Json.mapper().readTree(dag(3_000));
        List<WorkflowCommand> commands = LargeSubmission.split(submit("c1", spec));
        try (EngineDriver engine = new EngineDriver(new WorkflowMachine()::decide)) {
            engine.send(commands.getFirst());
            engine.send(commands.getLast());
            assertThat(Objects.requireNonNull(engine.answer("c1")).accepted()).isFalse();
            assertThat(engine.deadLetters).isEmpty();

            engine.pass(Duration.ofHours(2));
            assertThat(engine.storedKeys()).noneMatch(key -> key.contains("upload"));

            LargeSubmission.split(submit("c2", spec)).forEach(engine::send);
            assertThat(Objects.requireNonNull(engine.answer("c2")).accepted()).isTrue();
        }
    }

    private static void assertSmall(EngineDriver engine) {
        for (WorkflowTransition transition : engine.transitions.values()) {
            assertThat(size(WorkflowTransition.class, transition)).isLessThan(LIMIT);
        }
        engine.steps.forEach(s -> assertThat(size(StepCommand.class, s)).isLessThan(LIMIT));
        assertThat(engine.largestEntry()).isLessThan(LIMIT);
    }

    private static InMemoryWorkflow fold(EngineDriver engine) {
        InMemoryWorkflow workflow = new InMemoryWorkflow();
        for (WorkflowTransition transition : engine.transitions.values()) {
            for (WorkflowEvent event : transition.events()) {
                Evolution.apply(workflow, transition.namespace(), transition.name(), event);
            }
        }
        return workflow;
    }

    private static <T> int size(Class<T> type, T value) {
        return JsonSerde.of(type).encode(value).length;
    }

    private static WorkflowCommand.Submit submit(String commandId, JsonNode spec) {
        ObjectNode manifest = Json.object();
        manifest.put("apiVersion", "argoproj.io/v1alpha1").put("kind", "Workflow");
        manifest.putObject("metadata").put("name", NAME).put("namespace", Samples.NAMESPACE);
        manifest.set("spec", spec);
        return new WorkflowCommand.Submit(
                commandId,
                Samples.NAMESPACE,
                NAME,
                "uid-" + commandId,
                manifest,
                spec,
                Map.of(),
                false,
                null,
                null);
    }

    /** Tasks that all wait for the first, with arguments that cannot be made shorter. */
    private static String dag(int tasks) {
        Random chance = new Random(1);
        StringJoiner all = new StringJoiner(",");
        for (int i = 0; i < tasks; i++) {
            StringBuilder text = new StringBuilder();
            chance.ints(200, 'a', 'z').forEach(text::appendCodePoint);
            all.add(
                    """
                    {"name": "t%d", "template": "say"%s,
                     "arguments": {"parameters": [{"name": "text", "value": "%s"}]}}"""
                            .formatted(i, i == 0 ? "" : ", \"dependencies\": [\"t0\"]", text));
        }
        return """
        {"entrypoint": "main", "templates": [
          {"name": "main", "dag": {"tasks": [%s]}},
          {"name": "say", "inputs": {"parameters": [{"name": "text"}]},
           "container": {"image": "busybox", "command": ["echo", "{{inputs.parameters.text}}"]}}]}"""
                .formatted(all);
    }
}
