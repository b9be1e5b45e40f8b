package dev.millrace.workflowengine.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.CommandAnswer;
import dev.millrace.schemas.record.LockHolder;
import dev.millrace.schemas.record.LockRequest;
import dev.millrace.schemas.record.MetricValue;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.StepCommand;
import dev.millrace.schemas.record.StepReport;
import dev.millrace.schemas.record.StepSpec;
import dev.millrace.schemas.record.WorkflowCommand;
import dev.millrace.schemas.record.WorkflowHead;
import dev.millrace.schemas.record.WorkflowPhase;
import dev.millrace.schemas.record.WorkflowStage;
import dev.millrace.workflowengine.core.WorkflowInput;
import dev.millrace.workflowengine.core.WorkflowMachine;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class WorkflowTurnsTest {
    private EngineDriver engine = new EngineDriver();

    @AfterEach
    void close() {
        engine.close();
    }

    @Test
    void aStepThatIsAskedForIsWrittenOnceAndItsResultEndsTheWorkflow() {
        engine.send(Samples.submit("hello", Samples.HELLO));
        assertThat(engine.steps).hasSize(1);
        engine.run();
        assertThat(head("hello").phase()).isEqualTo(WorkflowPhase.SUCCEEDED);
        assertThat(engine.transitions.keySet()).containsExactly("ns/hello/1", "ns/hello/2");
        assertThat(engine.deadLetters).isEmpty();
    }

    @Test
    void locksAreAskedForAndGivenBackInTheTransitionsThatSaySo() {
        engine.send(Samples.submit("locked", Samples.mutex("m")));
        assertThat(engine.steps).isEmpty();
        LockRequest.Acquire asked = (LockRequest.Acquire) engine.lockRequests.getFirst();
        assertThat(asked.locks()).containsExactly("ns/Mutex/m");
        assertThat(asked.createdAt()).isEqualTo(head("locked").createdAt());
        engine.send(new WorkflowCommand.LockGranted(asked.holder()));
        engine.send(new WorkflowCommand.LockGranted(asked.holder()));
        engine.run();
        assertThat(head("locked").phase()).isEqualTo(WorkflowPhase.SUCCEEDED);
        assertThat(engine.lockRequests)
                .containsExactly(asked, new LockRequest.Release(asked.holder()));
        assertThat(engine.transitions.keySet())
                .as("a grant that comes twice is no transition")
                .containsExactly("ns/locked/1", "ns/locked/2", "ns/locked/3");
    }

    @Test
    void locksForAWorkflowThatIsNotThereAreGivenBackAndNothingElseIsWritten() {
        LockHolder ghost = Samples.holder("ghost");
        engine.send(new WorkflowCommand.LockGranted(ghost));
        engine.send(new WorkflowCommand.LockWaiting(ghost, "ns/Mutex/m", "Waiting"));
        assertThat(engine.lockRequests)
                .containsExactly(new LockRequest.Release(ghost), new LockRequest.Release(ghost));
        assertThat(engine.transitions).isEmpty();
        assertThat(engine.storedKeys()).isEmpty();
        assertThat(engine.deadLetters).isEmpty();
    }

    @Test
    void aWorkflowThatTheCoreCannotHandleGivesItsLocksBack() {
        engine.close();
        WorkflowMachine machine = new WorkflowMachine();
        engine =
                new EngineDriver(
                        (state, namespace, name, input, now) -> {
                            if (input instanceof WorkflowInput.Report) {
                                throw new IllegalStateException("a bug");
                            }
                            return machine.decide(state, namespace, name, input, now);
                        });
        String spec =
                Samples.mutex("whole")
                        .replace(
                                "- name: main\n",
                                "- name: main\n  synchronization: {mutexes: [{name: node}]}\n");
        engine.send(Samples.submit("locked", spec));
        engine.send(new WorkflowCommand.LockGranted(head("locked").holder(null)));
        engine.send(new WorkflowCommand.LockGranted(head("locked").holder("locked")));
        engine.finish(engine.waiting.getFirst(), NodePhase.SUCCEEDED);
        assertThat(head("locked").phase()).isEqualTo(WorkflowPhase.ERROR);
        assertThat(engine.lockRequests)
                .contains(
                        new LockRequest.Release(head("locked").holder(null)),
                        new LockRequest.Release(head("locked").holder("locked")));
    }

    @Test
    void aWorkflowWithoutLocksAsksForNone() {
        engine.send(Samples.submit("hello", Samples.HELLO));
        engine.run();
        assertThat(engine.lockRequests).isEmpty();
        assertThat(engine.transitions).hasSize(2);
    }

    @Test
    void aRepeatedResultChangesNothing() {
        engine.send(Samples.submit("hello", Samples.HELLO));
        StepSpec spec = engine.waiting.getFirst();
        engine.run();
        int before = engine.transitions.size();
        engine.finish(spec, NodePhase.FAILED);
        assertThat(engine.transitions).hasSize(before);
        assertThat(head("hello").phase()).isEqualTo(WorkflowPhase.SUCCEEDED);
    }

    @Test
    void aLongLoopGoesOnByTimersUntilAllItemsAreStarted() {
        engine.send(Samples.submit("loop", Samples.loop(300)));
        assertThat(engine.steps.size()).isLessThan(30);
        engine.run();
        assertThat(engine.steps).hasSize(300);
        assertThat(head("loop").phase()).isEqualTo(WorkflowPhase.SUCCEEDED);
        assertThat(engine.state("loop").openNodes()).isEmpty();
    }

    @Test
    void aRetryWaitsForItsTimer() {
        engine.send(Samples.submit("retry", Samples.RETRY));
        engine.finish(engine.waiting.removeFirst(), NodePhase.FAILED);
        assertThat(engine.waiting).isEmpty();
        engine.pass(Duration.ofMillis(500));
        assertThat(engine.waiting).isEmpty();
        engine.pass(Duration.ofSeconds(3));
        assertThat(engine.waiting).hasSize(1);
        engine.run();
        assertThat(head("retry").phase()).isEqualTo(WorkflowPhase.SUCCEEDED);
    }

    @Test
    void aRepeatedSubmissionGetsTheFirstAnswerAndAnotherOneIsRefused() {
        engine.send(Samples.submit("hello", Samples.HELLO));
        engine.send(Samples.submit("hello", Samples.HELLO));
        engine.send(Samples.submit("other", "hello", Samples.HELLO));
        assertThat(engine.steps).hasSize(1);
        assertThat(Objects.requireNonNull(engine.answer("submit-hello")).accepted()).isTrue();
        assertThat(Objects.requireNonNull(engine.answer("other")).code())
                .isEqualTo(CommandAnswer.ALREADY_EXISTS);
        assertThat(engine.transitions).hasSize(3);
    }

    @Test
    void aCommandForAnUnknownWorkflowIsAnsweredAndLeavesNothingForEver() {
        engine.send(new WorkflowCommand.Suspend("c1", "ns", "nobody"));
        assertThat(Objects.requireNonNull(engine.answer("c1")).code())
                .isEqualTo(CommandAnswer.NOT_FOUND);
        assertThat(engine.transitions.keySet()).containsExactly("ns/nobody/rejected");
        engine.pass(Duration.ofDays(2));
        assertThat(engine.transitions).isEmpty();
        assertThat(engine.storedKeys()).isEmpty();
    }

    @Test
    void aWorkflowThatTheEngineGaveUpExpiresLikeAnyOther() {
        EngineDriver broken =
                new EngineDriver(
                        (state, namespace, name, input, now) -> {
                            if (input instanceof WorkflowInput.Report) {
                                throw new IllegalStateException("a fault");
                            }
                            return new WorkflowMachine(20)
                                    .decide(state, namespace, name, input, now);
                        });
        broken.send(
                Samples.submit(
                        "hello", Samples.HELLO + "\nttlStrategy: {secondsAfterCompletion: 60}"));
        broken.finish(broken.waiting.removeFirst(), NodePhase.SUCCEEDED);
        broken.pass(Duration.ofSeconds(59));
        assertThat(Objects.requireNonNull(broken.state("hello").head()).stage())
                .isEqualTo(WorkflowStage.DONE);
        broken.pass(Duration.ofSeconds(2));
        assertThat(Objects.requireNonNull(broken.state("hello").head()).stage())
                .isEqualTo(WorkflowStage.DELETED);
        broken.close();
    }

    @Test
    void metricsChangeOnceWithWhatTheyTellOfAndOutliveTheirWorkflows() {
        String spec =
                """
                entrypoint: main
                templates:
                - name: main
                  container: {image: a}
                  metrics: {prometheus: [{name: ends, help: h, counter: {value: "1"}}]}
                """;
        for (String name : List.of("one", "two")) {
            engine.send(Samples.submit(name, spec));
            StepSpec step = engine.waiting.removeFirst();
            engine.finish(step, NodePhase.SUCCEEDED);
            engine.finish(step, NodePhase.SUCCEEDED);
        }
        engine.send(new WorkflowCommand.Delete("d", "ns", "one"));
        engine.pass(Duration.ofDays(40));
        assertThat(engine.metrics).containsOnlyKeys("0/ends/{}");
        assertThat(Objects.requireNonNull(engine.metrics.get("0/ends/{}")).value())
                .isEqualTo(new MetricValue.Counter(2));
    }

    @Test
    void aDeletionThatAsksForAnEndedWorkflowLeavesOthersAlone() {
        WorkflowCommand.Submit submit = Samples.submit("hello", Samples.HELLO);
        engine.send(submit);
        engine.send(new WorkflowCommand.Delete("d1", "ns", "hello", submit.uid()));
        assertThat(Objects.requireNonNull(engine.answer("d1")).code())
                .isEqualTo(CommandAnswer.FAILED_PRECONDITION);
        engine.run();
        engine.send(new WorkflowCommand.Delete("d2", "ns", "hello", "another"));
        assertThat(Objects.requireNonNull(engine.answer("d2")).code())
                .isEqualTo(CommandAnswer.FAILED_PRECONDITION);
        engine.send(new WorkflowCommand.Delete("d3", "ns", "hello", submit.uid()));
        assertThat(head("hello").stage()).isEqualTo(WorkflowStage.DELETED);
    }

    @Test
    void aDeletedWorkflowLeavesAMarkerThatOutlivesLateRepeatsAndThenGoes() {
        engine.send(Samples.submit("loop", Samples.loop(300)));
        engine.run();
        engine.send(new WorkflowCommand.Delete("d1", "ns", "loop"));
        engine.pass(Duration.ofMillis(50));
        engine.pass(Duration.ofMillis(50));
        assertThat(head("loop").stage()).isEqualTo(WorkflowStage.DELETED);
        assertThat(engine.steps.stream().filter(StepCommand.Forget.class::isInstance)).hasSize(300);
        assertThat(engine.transitions).hasSize(1);
        engine.send(Samples.submit("loop", Samples.loop(300)));
        assertThat(engine.steps.stream().filter(StepCommand.Start.class::isInstance)).hasSize(300);
        engine.pass(Duration.ofDays(31));
        assertThat(engine.transitions).isEmpty();
        assertThat(engine.storedKeys()).isEmpty();
    }

    @Test
    void artifactsAreGivenUpBeforeTheStepsThatStoredThemAreForgotten() {
        String storing =
                Samples.loop(300)
                                .replace(
                                        "entrypoint: main",
                                        "entrypoint: main\nartifactGC: {strategy: OnWorkflowCompletion}")
                                .stripTrailing()
                        + """

                          outputs:
                            artifacts:
                            - {name: early, path: /e, s3: {endpoint: e, bucket: b, key: "{{inputs.parameters.i}}"}}
                            - {name: late, path: /l, artifactGC: {strategy: OnWorkflowDeletion}, s3: {endpoint: e, bucket: b, key: "l{{inputs.parameters.i}}"}}
                        """;
        engine.send(Samples.submit("loop", storing));
        engine.run();
        engine.pass(Duration.ofMillis(50));
        assertThat(head("loop").phase()).isEqualTo(WorkflowPhase.SUCCEEDED);
        List<StepCommand.DiscardArtifacts> atEnd = discarded();
        assertThat(atEnd).hasSize(300);
        assertThat(atEnd).allSatisfy(d -> assertThat(d.artifacts()).hasSize(1));
        for (StepCommand.DiscardArtifacts d : atEnd) {
            engine.report(
                    new StepReport.Discarded(
                            d.stepId(),
                            d.nodeId(),
                            d.workflow(),
                            Instant.EPOCH,
                            List.of("early"),
                            null));
        }
        engine.send(new WorkflowCommand.Delete("d1", "ns", "loop"));
        engine.pass(Duration.ofMillis(50));
        engine.pass(Duration.ofMillis(50));
        assertThat(head("loop").stage()).isEqualTo(WorkflowStage.DELETED);
        List<StepCommand.DiscardArtifacts> all = discarded();
        assertThat(all).hasSize(600);
        assertThat(all.subList(300, 600))
                .allSatisfy(d -> assertThat(d.artifacts().getFirst().name()).isEqualTo("late"));
        for (StepCommand.DiscardArtifacts d : all) {
            assertThat(engine.steps.indexOf(d))
                    .isLessThan(
                            engine.steps.indexOf(new StepCommand.Forget(d.stepId(), d.workflow())));
        }
    }

    private List<StepCommand.DiscardArtifacts> discarded() {
        return engine.steps.stream()
                .filter(StepCommand.DiscardArtifacts.class::isInstance)
                .map(StepCommand.DiscardArtifacts.class::cast)
                .toList();
    }

    @Test
    void aNameLivesAgainAfterItsDeletionAndItsNumbersGoOn() {
        engine.send(Samples.submit("hello", Samples.HELLO));
        engine.run();
        engine.send(new WorkflowCommand.Delete("d1", "ns", "hello"));
        engine.pass(Duration.ofMillis(50));
        engine.send(Samples.submit("again", "hello", Samples.HELLO));
        engine.run();
        assertThat(head("hello").phase()).isEqualTo(WorkflowPhase.SUCCEEDED);
        assertThat(engine.transitions.keySet())
                .containsExactly("ns/hello/3", "ns/hello/4", "ns/hello/5");
        engine.pass(Duration.ofDays(40));
        assertThat(head("hello").phase()).isEqualTo(WorkflowPhase.SUCCEEDED);
    }

    @Test
    void aStopGivesEachStepItsGracePeriod() {
        String patched =
                Samples.HELLO.replace(
                        "- name: main",
                        "- name: main\n  podSpecPatch: '{\"terminationGracePeriodSeconds\": 5}'");
        for (String spec : List.of(Samples.HELLO, patched)) {
            String name = spec.equals(patched) ? "patched" : "plain";
            engine.send(Samples.submit(name, spec));
            engine.send(
                    new WorkflowCommand.Shutdown(
                            "stop-" + name,
                            "ns",
                            name,
                            dev.millrace.schemas.record.ShutdownStrategy.STOP,
                            null,
                            null));
        }
        assertThat(engine.steps.stream().filter(StepCommand.Stop.class::isInstance))
                .extracting(s -> ((StepCommand.Stop) s).graceSeconds())
                .containsExactly(30L, 5L);
    }

    @Test
    void whatTheCoreCannotHandleEndsThatWorkflowAndNoOther() {
        engine.close();
        WorkflowMachine machine = new WorkflowMachine();
        engine =
                new EngineDriver(
                        (state, namespace, name, input, now) -> {
                            if (input instanceof WorkflowInput.Report && name.equals("sick")) {
                                throw new IllegalStateException("this core has a bug");
                            }
                            return machine.decide(state, namespace, name, input, now);
                        });
        engine.send(Samples.submit("sick", Samples.loop(3)));
        engine.send(Samples.submit("well", Samples.HELLO));
        engine.run();
        WorkflowHead sick = head("sick");
        assertThat(sick.phase()).isEqualTo(WorkflowPhase.ERROR);
        assertThat(sick.message()).contains("see dead letter millrace.step-results/0/0");
        assertThat(sick.activeSteps()).isZero();
        assertThat(engine.state("sick").openNodes()).isEmpty();
        assertThat(engine.steps.stream().filter(StepCommand.Stop.class::isInstance)).hasSize(3);
        assertThat(head("well").phase()).isEqualTo(WorkflowPhase.SUCCEEDED);
        assertThat(engine.deadLetters.getFirst().reason()).contains("this core has a bug");
        StepReport again = Json.convert(engine.deadLetters.getFirst().value(), StepReport.class);
        assertThat(again.stepId()).isNotEmpty();
        assertThat(engine.failures).hasPositiveValue();
    }

    @Test
    void aLargeWorkflowThatTheCoreCannotHandleIsEndedInPortions() {
        engine.close();
        WorkflowMachine machine = new WorkflowMachine();
        engine =
                new EngineDriver(
                        (state, namespace, name, input, now) -> {
                            if (input instanceof WorkflowInput.Report) {
                                throw new IllegalStateException("this core has a bug");
                            }
                            return machine.decide(state, namespace, name, input, now);
                        });
        int items = 2 * Abandonment.PORTION + 100;
        engine.send(Samples.submit("sick", Samples.loop(items)));
        for (int i = 0; engine.waiting.size() < items; i++) {
            assertThat(i).as("turns until all items are started").isLessThan(100);
            engine.pass(Duration.ofMillis(50));
        }
        engine.finish(engine.waiting.getFirst(), NodePhase.SUCCEEDED);
        assertThat(head("sick").phase()).isEqualTo(WorkflowPhase.ERROR);
        for (int i = 0; i < 10; i++) {
            engine.pass(Duration.ofMillis(50));
        }
        assertThat(engine.state("sick").openNodes()).isEmpty();
        assertThat(engine.steps.stream().filter(StepCommand.Stop.class::isInstance)).hasSize(items);
        assertThat(engine.transitions.values())
                .allMatch(t -> t.events().size() < 3 * Abandonment.PORTION);
    }

    @Test
    void aTransitionThatNoRecordCanHoldIsRefusedInsteadOfStoppingThePartition() {
        WorkflowCommand.Submit submit = Samples.submit("large", Samples.HELLO);
        ObjectNode metadata = (ObjectNode) submit.manifest().path("metadata");
        metadata.putObject("annotations").put("notes", "x".repeat(RecordSize.LIMIT));
        engine.send(submit);
        CommandAnswer answer = Objects.requireNonNull(engine.answer("submit-large"));
        assertThat(answer.accepted()).isFalse();
        assertThat(engine.deadLetters.getFirst().reason()).contains("is the most");
        assertThat(engine.steps).isEmpty();
        assertThat(engine.state("large").head()).isNull();
    }

    @Test
    void aCommandThatTheCoreCannotHandleIsAnswered() {
        engine.close();
        engine =
                new EngineDriver(
                        (_, _, _, _, _) -> {
                            throw new IllegalStateException("this core has a bug");
                        });
        engine.send(Samples.submit("hello", Samples.HELLO));
        CommandAnswer answer = Objects.requireNonNull(engine.answer("submit-hello"));
        assertThat(answer.accepted()).isFalse();
        assertThat(answer.message()).contains("see dead letter millrace.workflow-commands/0/0");
        WorkflowCommand again =
                Json.convert(engine.deadLetters.getFirst().value(), WorkflowCommand.class);
        assertThat(again).isInstanceOf(WorkflowCommand.Submit.class);
        assertThat(again.commandId()).isEqualTo("submit-hello");
    }

    @Test
    void aWorkflowIsNotToBlameForARecordUnderItsKeyThatIsAboutAnother() {
        engine.send(Samples.submit("hello", Samples.HELLO));
        engine.send("ns/hello", new WorkflowCommand.Suspend("c1", "ns", "other"));
        engine.send("nonsense", new WorkflowCommand.Suspend("c2", "ns", "other"));
        assertThat(engine.deadLetters).hasSize(2);
        engine.run();
        assertThat(head("hello").phase()).isEqualTo(WorkflowPhase.SUCCEEDED);
    }

    private WorkflowHead head(String name) {
        return Objects.requireNonNull(engine.state(name).head());
    }
}
