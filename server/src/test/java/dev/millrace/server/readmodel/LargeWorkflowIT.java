package dev.millrace.server.readmodel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.log.LogRecord;
import dev.millrace.log.Topics;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.StepOutcome;
import dev.millrace.schemas.record.StepReport;
import dev.millrace.schemas.record.StepSpec;
import dev.millrace.schemas.record.WorkflowCommand;
import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.schemas.record.WorkflowTransition;
import dev.millrace.workflowengine.core.WorkflowInput;
import dev.millrace.workflowengine.core.WorkflowMachine;
import dev.millrace.workflowengine.state.Evolution;
import dev.millrace.workflowengine.state.InMemoryWorkflow;
import dev.millrace.workflowengine.view.WorkflowView;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A reader of a large workflow holds a page of it, not all. */
class LargeWorkflowIT {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    @TempDir Path folder;

    @Test
    void whatIsWrittenNodeByNodeIsWhatIsRendered() {
        try (ReadModel model = ReadModel.open(folder.resolve("model"), "log")) {
            InMemoryWorkflow state = project(model, "w", 1_500);
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            String version = write(model, out);
            assertThat(out.toString(StandardCharsets.UTF_8))
                    .isEqualTo(WorkflowView.render(state, version).toString());
        }
    }

    @Test
    void aFoldOfTheHistoryWritesTheSame() {
        try (FoldedWorkflow folded = FoldedWorkflow.open("n", "w")) {
            InMemoryWorkflow state = run("w", 1_500, batch -> batch.forEach(r -> fold(folded, r)));
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            write(folded, out);
            assertThat(out.toString(StandardCharsets.UTF_8))
                    .isEqualTo(WorkflowView.render(state, "1").toString());
        }
    }

    @Test
    void twentyThousandNodesTakeTheMemoryOfAPageToReadAndToFoldAgain() {
        try (ReadModel model = ReadModel.open(folder.resolve("model"), "log");
                FoldedWorkflow folded = FoldedWorkflow.open("n", "w")) {
            WorkflowProjection projection = new WorkflowProjection(new WorkflowChanges());
            run(
                    "w",
                    20_000,
                    batch -> {
                        model.write(handle -> projection.apply(handle, batch));
                        batch.forEach(record -> fold(folded, record));
                    });
            Watched read = new Watched();
            write(model, read);
            assertThat(read.written).isGreaterThan(7_000_000);
            assertThat(read.most - read.before).isLessThan(read.written / 2);

            Watched again = new Watched();
            write(folded, again);
            assertThat(again.written).isGreaterThan(7_000_000);
            assertThat(again.most - again.before).isLessThan(again.written / 2);

            ByteArrayOutputStream out = new ByteArrayOutputStream();
            write(model, out);
            JsonNode nodes = Json.mapper().readTree(out.toByteArray()).at("/status/nodes");
            assertThat(nodes).hasSize(20_002);
            assertThat(nodes)
                    .filteredOn(node -> !node.path("type").asString().equals("Pod"))
                    .extracting(node -> node.path("progress").asString())
                    .containsExactly("20000/20000", "20000/20000");
        }
    }

    private static void fold(FoldedWorkflow folded, LogRecord<WorkflowTransition> record) {
        record.requiredValue()
                .events()
                .forEach(event -> Evolution.apply(folded.state(), "n", "w", event));
        folded.took(record);
    }

    private static void write(FoldedWorkflow folded, OutputStream out) {
        try (JsonGenerator json = Json.mapper().createGenerator(out)) {
            WorkflowView.write(folded.stored(), new WorkflowView.Wanted("1", true, Map.of()), json);
        }
    }

    private static String write(ReadModel model, OutputStream out) {
        return model.read(
                handle -> {
                    WorkflowRows.Found found = WorkflowRows.in(handle).open("n", "w").orElseThrow();
                    try (JsonGenerator json = Json.mapper().createGenerator(out)) {
                        found.write(true, json);
                    }
                    return found.row().version().toString();
                });
    }

    /** Runs a workflow and projects what happened. */
    private static InMemoryWorkflow project(ReadModel model, String name, int items) {
        WorkflowProjection projection = new WorkflowProjection(new WorkflowChanges());
        return run(name, items, batch -> model.write(handle -> projection.apply(handle, batch)));
    }

    /** Runs a loop with so many items to its end and hands on what happened. */
    private static InMemoryWorkflow run(
            String name, int items, Consumer<List<LogRecord<WorkflowTransition>>> batches) {
        ObjectNode manifest =
                (ObjectNode)
                        Json.mapper()
                                .readTree(
                                        """
                                        {"apiVersion":"argoproj.io/v1alpha1","kind":"Workflow","metadata":{"name":"%s","namespace":"n"},
                                         "spec":{"entrypoint":"main","templates":[
                                           {"name":"main","steps":[[{"name":"a","template":"say","withSequence":{"count":"%d"}}]]},
                                           {"name":"say","container":{"image":"alpine","command":["true"]}}]}}"""
                                                .formatted(name, items));
        WorkflowMachine machine = new WorkflowMachine();
        InMemoryWorkflow state = new InMemoryWorkflow();
        Deque<WorkflowInput> inputs = new ArrayDeque<>();
        inputs.add(
                new WorkflowInput.Command(
                        new WorkflowCommand.Submit(
                                "c",
                                "n",
                                name,
                                "uid",
                                manifest,
                                manifest.path("spec"),
                                Map.of(),
                                false,
                                null,
                                null)));
        List<LogRecord<WorkflowTransition>> batch = new ArrayList<>();
        long seq = 0;
        while (!inputs.isEmpty()) {
            List<WorkflowEvent> events =
                    machine.decide(state, "n", name, inputs.removeFirst(), NOW);
            for (WorkflowEvent event : events) {
                Evolution.apply(state, "n", name, event);
                if (event instanceof WorkflowEvent.StepRequested(StepSpec step)) {
                    inputs.add(
                            new WorkflowInput.Report(
                                    new StepReport.Finished(
                                            step.stepId(),
                                            step.nodeId(),
                                            step.workflow(),
                                            NOW,
                                            NOW,
                                            new StepOutcome(
                                                    NodePhase.SUCCEEDED,
                                                    null,
                                                    0,
                                                    null,
                                                    Map.of()))));
                }
            }
            if (!Objects.requireNonNull(state.head()).work().isEmpty()) {
                inputs.addFirst(new WorkflowInput.Continue());
            }
            seq++;
            batch.add(
                    new LogRecord<>(
                            Topics.WORKFLOW_EVENTS,
                            0,
                            seq,
                            NOW,
                            "n/" + name + "/" + seq,
                            new WorkflowTransition("n", name, "uid", seq, NOW, events),
                            new RecordHeaders()));
            if (batch.size() == 500 || inputs.isEmpty()) {
                batches.accept(List.copyOf(batch));
                batch.clear();
            }
        }
        return state;
    }

    /** Throws away what is written, and looks now and then how much memory is in use. */
    private static final class Watched extends OutputStream {
        private final long before = used();
        private long most = before;
        private long written;
        private long next = 1_000_000;

        @Override
        public void write(int b) {
            count(1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) {
            count(length);
        }

        private void count(int bytes) {
            written += bytes;
            if (written >= next) {
                next += 3_000_000;
                most = Math.max(most, used());
            }
        }

        private static long used() {
            System.gc();
            return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        }
    }
}
