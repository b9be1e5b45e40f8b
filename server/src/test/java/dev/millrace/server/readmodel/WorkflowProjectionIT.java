package dev.millrace.server.readmodel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.log.LogRecord;
import dev.millrace.log.Topics;
import dev.millrace.log.plain.Positions;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.StepOutcome;
import dev.millrace.schemas.record.StepReport;
import dev.millrace.schemas.record.StepSpec;
import dev.millrace.schemas.record.WorkflowCommand;
import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.schemas.record.WorkflowHead;
import dev.millrace.schemas.record.WorkflowStage;
import dev.millrace.schemas.record.WorkflowTransition;
import dev.millrace.workflowengine.core.WorkflowInput;
import dev.millrace.workflowengine.core.WorkflowMachine;
import dev.millrace.workflowengine.state.Evolution;
import dev.millrace.workflowengine.state.InMemoryWorkflow;
import dev.millrace.workflowengine.state.WorkflowState;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class WorkflowProjectionIT {

    private static final JsonNode MANIFEST =
            Json.mapper()
                    .readTree(
                            """
                            {"apiVersion":"argoproj.io/v1alpha1","kind":"Workflow","metadata":{"name":"w","namespace":"n"},
                             "spec":{"entrypoint":"main","templates":[
                               {"name":"main","steps":[[{"name":"a","template":"say","withItems":[1,2,3]}],[{"name":"b","template":"say"}]]},
                               {"name":"say","container":{"image":"alpine","command":["true"]}}]}}""");

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    @TempDir Path folder;

    @Test
    void rowsAreTheSameStateThatTheEngineHasHoweverTheRecordsAreBatched() {
        for (long seed = 0; seed < 8; seed++) {
            Random random = new Random(seed);
            Life life = new Life(random);
            life.submit("c1");
            life.finishSteps();
            if (random.nextBoolean()) {
                life.delete("c2");
                life.submit("c3");
            }
            try (ReadModel model = ReadModel.open(folder.resolve("model-" + seed), "log")) {
                WorkflowProjection projection = new WorkflowProjection(new WorkflowChanges());
                List<LogRecord<WorkflowTransition>> records = life.records;
                int at = 0;
                while (at < records.size()) {
                    int end = Math.min(records.size(), at + 1 + random.nextInt(4));
                    project(model, projection, records.subList(at, end));
                    at = end;
                }
                WorkflowRows.Found found =
                        model.read(handle -> WorkflowRows.in(handle).find("n", "w")).orElseThrow();
                assertThat(withoutAnswers(found.state()))
                        .as("seed " + seed)
                        .isEqualTo(withoutAnswers(life.state));
                assertThat(model.dump().stream().filter(row -> row.startsWith("workflows ")))
                        .hasSize(1);
            }
        }
    }

    @Test
    void aRepeatedBatchChangesNothing() {
        Life life = new Life(new Random(1));
        life.submit("c1");
        life.finishSteps();
        try (ReadModel model = ReadModel.open(folder.resolve("model"), "log")) {
            WorkflowProjection projection = new WorkflowProjection(new WorkflowChanges());
            project(model, projection, life.records);
            List<String> once = model.dump();
            project(model, projection, life.records);
            assertThat(model.dump()).isEqualTo(once);
        }
    }

    @Test
    void aReaderThatWasAwayLearnsOfADeletionFromItsTombstones() {
        Life life = new Life(new Random(1));
        life.submit("c1");
        life.finishSteps();
        try (ReadModel model = ReadModel.open(folder.resolve("model"), "log")) {
            WorkflowProjection projection = new WorkflowProjection(new WorkflowChanges());
            project(model, projection, life.records);
            project(model, projection, List.of(record(100, "n/w/1", null)));
            assertThat(found(model)).isEmpty();
            assertThat(model.dump())
                    .noneMatch(row -> row.startsWith("nodes ") || row.startsWith("children "));
        }
    }

    @Test
    void tombstonesOfAnEarlierLifeLeaveTheNewOneAlone() {
        Life life = new Life(new Random(1));
        life.submit("c1");
        life.delete("c2");
        life.submit("c3");
        try (ReadModel model = ReadModel.open(folder.resolve("model"), "log")) {
            WorkflowProjection projection = new WorkflowProjection(new WorkflowChanges());
            project(model, projection, life.records);
            project(
                    model,
                    projection,
                    List.of(record(100, "n/w/1", null), record(101, "n/w/2", null)));
            assertThat(found(model)).isPresent();
        }
    }

    @Test
    void theRestOfADeletedWorkflowWhoseBeginningWasCompactedIsLeftOut() {
        Life life = new Life(new Random(1));
        life.submit("c1");
        life.finishSteps();
        life.delete("c2");
        try (ReadModel model = ReadModel.open(folder.resolve("model"), "log")) {
            WorkflowProjection projection = new WorkflowProjection(new WorkflowChanges());
            project(model, projection, life.records.subList(2, life.records.size()));
            List<WorkflowRows.Row> rows = model.read(handle -> WorkflowRows.in(handle).list(""));
            assertThat(rows).isEmpty();
        }
    }

    @Test
    void anAnswerIsToldOnceItsRowsCanBeRead() {
        Life life = new Life(new Random(1));
        life.submit("c1");
        WorkflowChanges changes = new WorkflowChanges();
        try (ReadModel model = ReadModel.open(folder.resolve("model"), "log")) {
            WorkflowProjection projection = new WorkflowProjection(changes);
            var read =
                    changes.answer("c1")
                            .thenApply(
                                    _ ->
                                            model.read(
                                                    handle ->
                                                            WorkflowRows.in(handle)
                                                                    .find("n", "w")));
            assertThat(read).isNotDone();
            project(model, projection, life.records);
            assertThat(read.join()).isPresent();
        }
    }

    @Test
    void aFileOfAnotherLogOrVersionIsMadeAnew() {
        Path file = folder.resolve("model");
        Life life = new Life(new Random(1));
        life.submit("c1");
        try (ReadModel model = ReadModel.open(file, "log")) {
            project(model, new WorkflowProjection(new WorkflowChanges()), life.records);
        }
        try (ReadModel model = ReadModel.open(file, "log")) {
            assertThat(model.positions(Topics.WORKFLOW_EVENTS).next()).isNotEmpty();
            model.write(handle -> handle.execute("PRAGMA user_version = 999"));
        }
        try (ReadModel model = ReadModel.open(file, "log")) {
            assertThat(model.positions(Topics.WORKFLOW_EVENTS)).isEqualTo(Positions.START);
            project(model, new WorkflowProjection(new WorkflowChanges()), life.records);
        }
        try (ReadModel model = ReadModel.open(file, "another log")) {
            assertThat(model.positions(Topics.WORKFLOW_EVENTS)).isEqualTo(Positions.START);
        }
    }

    /** The engine keeps answers over a deletion, for repeats; whoever reads has no use for them. */
    private static InMemoryWorkflow withoutAnswers(WorkflowState state) {
        InMemoryWorkflow copy = new InMemoryWorkflow();
        ObjectNode head = Json.tree(state.head()).asObject();
        head.remove("answers");
        copy.putHead(Json.convert(head, WorkflowHead.class));
        copy.putSource(state.source());
        for (String id : state.nodes()) {
            copy.putNode(state.node(id));
            if (!state.children(id).isEmpty()) {
                copy.addChildren(id, state.children(id));
            }
        }
        return copy;
    }

    private static Optional<WorkflowRows.Found> found(ReadModel model) {
        return model.read(handle -> WorkflowRows.in(handle).find("n", "w"));
    }

    private static void project(
            ReadModel model,
            WorkflowProjection projection,
            List<LogRecord<WorkflowTransition>> records) {
        model.write(
                handle -> {
                    projection.apply(handle, records);
                    ReadModel.savePositions(
                            handle,
                            projection.topic(),
                            new Positions(Map.of(0, records.getLast().offset() + 1)));
                });
        projection.committed();
    }

    private static LogRecord<WorkflowTransition> record(
            long offset, String key, WorkflowTransition value) {
        return new LogRecord<>(
                Topics.WORKFLOW_EVENTS, 0, offset, NOW, key, value, new RecordHeaders());
    }

    /** A workflow as an engine runs it, with its records. */
    private static final class Life {
        final InMemoryWorkflow state = new InMemoryWorkflow();
        final List<LogRecord<WorkflowTransition>> records = new ArrayList<>();
        private final Deque<StepSpec> steps = new ArrayDeque<>();
        private final WorkflowMachine machine = new WorkflowMachine(2);
        private final Random random;
        private int lives;

        Life(Random random) {
            this.random = random;
        }

        void submit(String command) {
            lives++;
            feed(
                    new WorkflowInput.Command(
                            new WorkflowCommand.Submit(
                                    command,
                                    "n",
                                    "w",
                                    "uid-" + lives,
                                    MANIFEST,
                                    MANIFEST.path("spec"),
                                    Map.of(),
                                    false,
                                    null,
                                    null)));
        }

        void delete(String command) {
            feed(new WorkflowInput.Command(new WorkflowCommand.Delete(command, "n", "w")));
            assertThat(head().stage()).isEqualTo(WorkflowStage.DELETED);
            steps.clear();
        }

        void finishSteps() {
            while (!steps.isEmpty()) {
                StepSpec step = random.nextBoolean() ? steps.removeFirst() : steps.removeLast();
                feed(
                        new WorkflowInput.Report(
                                new StepReport.Finished(
                                        step.stepId(),
                                        step.nodeId(),
                                        step.workflow(),
                                        NOW,
                                        NOW,
                                        new StepOutcome(
                                                NodePhase.SUCCEEDED, null, 0, null, Map.of()))));
            }
            assertThat(head().stage()).isEqualTo(WorkflowStage.DONE);
        }

        private WorkflowHead head() {
            return state.head();
        }

        private void feed(WorkflowInput input) {
            WorkflowInput next = input;
            do {
                List<WorkflowEvent> events = machine.decide(state, "n", "w", next, NOW);
                for (WorkflowEvent event : events) {
                    Evolution.apply(state, "n", "w", event);
                    if (event instanceof WorkflowEvent.StepRequested(var spec)) {
                        steps.add(spec);
                    }
                }
                if (!events.isEmpty()) {
                    long seq = records.size() + 1;
                    records.add(
                            record(
                                    records.size(),
                                    "n/w/" + seq,
                                    new WorkflowTransition(
                                            "n", "w", "uid-" + lives, seq, NOW, events)));
                }
                next = new WorkflowInput.Continue();
            } while (!head().work().isEmpty());
        }
    }
}
