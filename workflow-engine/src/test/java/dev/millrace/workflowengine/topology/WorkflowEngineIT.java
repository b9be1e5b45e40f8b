package dev.millrace.workflowengine.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.log.Partitions;
import dev.millrace.log.Topics;
import dev.millrace.log.serde.JsonSerde;
import dev.millrace.schemas.record.CommandAnswer;
import dev.millrace.schemas.record.DeadLetter;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.ShutdownStrategy;
import dev.millrace.schemas.record.StepSpec;
import dev.millrace.schemas.record.WorkflowCommand;
import dev.millrace.schemas.record.WorkflowHead;
import dev.millrace.schemas.record.WorkflowPhase;
import dev.millrace.schemas.record.WorkflowStage;
import dev.millrace.testkit.Await;
import dev.millrace.testkit.TestBroker;
import dev.millrace.testkit.TestRecords;
import dev.millrace.workflowengine.core.WorkflowMachine;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WorkflowEngineIT {
    private static final Duration LONG = Duration.ofSeconds(90);

    @RegisterExtension final TestBroker broker = new TestBroker(new Partitions(2));

    private final Map<String, Integer> attempts = new ConcurrentHashMap<>();
    private TestRecords records;
    private StepsAnswered executor;
    private WorkflowsSeen seen;
    private WorkflowEngine engine;
    private Path folder;

    @BeforeAll
    void start(@TempDir Path stateDir) {
        folder = stateDir;
        records = broker.records();
        executor = new StepsAnswered(broker.log(), this::result);
        seen = new WorkflowsSeen(broker.log());
        engine = startEngine();
    }

    @AfterAll
    void stop() {
        engine.close();
        executor.close();
        seen.close();
        records.close();
    }

    @AfterEach
    void noNumberIsMissingAndNoNodeEndedTwice() {
        assertThat(seen.faults()).isEmpty();
        assertThat(executor.requested.entrySet().stream().filter(e -> e.getValue() != 1)).isEmpty();
    }

    private WorkflowEngine startEngine() {
        WorkflowMachine machine = new WorkflowMachine();
        return WorkflowEngine.start(
                broker.log(),
                folder,
                EngineOptions.DEFAULT,
                (state, namespace, name, input, now) -> {
                    if (name.startsWith("sick")) {
                        throw new IllegalStateException("this core has a bug");
                    }
                    return machine.decide(state, namespace, name, input, now);
                });
    }

    /** Flaky workflows fail twice, held ones never end. */
    private @Nullable NodePhase result(StepSpec spec) {
        String workflow = spec.workflow().name();
        if (workflow.startsWith("flaky")) {
            return attempts.merge(workflow, 1, Integer::sum) <= 2
                    ? NodePhase.FAILED
                    : NodePhase.SUCCEEDED;
        }
        return workflow.startsWith("held") ? null : NodePhase.SUCCEEDED;
    }

    @Test
    void helloRunsItsOneStep() {
        submit("hello", Samples.HELLO);
        awaitPhase("hello", WorkflowPhase.SUCCEEDED);
        assertThat(engine.health().isReady()).isTrue();
        Await.until("everything is read", () -> engine.lag() == 0);
    }

    @Test
    void aDiamondRunsItsTasksByTheirDependencies() {
        submit("diamond", Samples.DIAMOND);
        awaitPhase("diamond", WorkflowPhase.SUCCEEDED);
        assertThat(seen.nodes("diamond")).isEqualTo(5);
    }

    @Test
    void aLoopOfAThousandRunsAllItems() {
        submit("loop", Samples.loop(1_000));
        awaitPhase("loop", WorkflowPhase.SUCCEEDED);
        assertThat(seen.nodes("loop")).isEqualTo(1_002);
    }

    @Test
    void aFlakyStepIsTriedAgainAfterItsBackOff() {
        submit("flaky", Samples.RETRY);
        awaitPhase("flaky", WorkflowPhase.SUCCEEDED);
        assertThat(attempts.get("flaky")).isEqualTo(3);
    }

    @Test
    void aWorkflowWaitsUntilItIsResumed() {
        submit("suspended", Samples.SUSPEND);
        Await.until("it waits", () -> seen.nodes("suspended") == 5);
        send(new WorkflowCommand.Resume("r1", Samples.NAMESPACE, "suspended", null, "me"));
        awaitPhase("suspended", WorkflowPhase.SUCCEEDED);
    }

    @Test
    void aStopEndsTheStepsThatRun() {
        submit("held-stop", Samples.loop(3));
        Await.until(
                "its steps run",
                () -> seen.head("held-stop").map(WorkflowHead::activeSteps).orElse(0) == 3);
        send(
                new WorkflowCommand.Shutdown(
                        "st1", Samples.NAMESPACE, "held-stop", ShutdownStrategy.STOP, null, null));
        awaitPhase("held-stop", WorkflowPhase.FAILED);
        Await.until(
                "its steps are stopped",
                () ->
                        executor.stopped.stream()
                                        .filter(s -> s.workflow().name().equals("held-stop"))
                                        .count()
                                == 3);
    }

    @Test
    void aDeletedWorkflowIsErasedStepsAndAll() {
        submit("deleted", Samples.loop(10));
        awaitPhase("deleted", WorkflowPhase.SUCCEEDED);
        send(new WorkflowCommand.Delete("d1", Samples.NAMESPACE, "deleted"));
        Await.until(
                "it is gone",
                () -> seen.head("deleted").orElseThrow().stage() == WorkflowStage.DELETED);
        Await.until(
                "its steps are forgotten",
                () ->
                        executor.forgotten.stream()
                                        .filter(f -> f.workflow().name().equals("deleted"))
                                        .count()
                                == 10);
        Await.until("its records are erased", () -> seen.erased("deleted") > 0);
    }

    @Test
    void aRepeatedSubmissionGetsTheFirstAnswerAgain() {
        submit("twice", Samples.HELLO);
        submit("twice", Samples.HELLO);
        Await.until("both are answered", () -> seen.answers("submit-twice") == 2);
        assertThat(seen.answer("submit-twice").orElseThrow().accepted()).isTrue();
        awaitPhase("twice", WorkflowPhase.SUCCEEDED);
    }

    @Test
    void aCommandForNobodyIsAnswered() {
        send(new WorkflowCommand.Suspend("nobody-1", Samples.NAMESPACE, "nobody"));
        CommandAnswer answer = Await.value("the answer", () -> seen.answer("nobody-1"));
        assertThat(answer.code()).isEqualTo(CommandAnswer.NOT_FOUND);
    }

    @Test
    void aRestartInTheMiddleLosesNothing() {
        submit("restarted", Samples.loop(600));
        Await.until("it runs", () -> seen.nodes("restarted") > 100);
        engine.close();
        engine = startEngine();
        awaitPhase("restarted", WorkflowPhase.SUCCEEDED);
        assertThat(seen.nodes("restarted")).isEqualTo(602);
    }

    @Test
    void aSecondEngineTakesPartitionsOverAndGivesThemBackInTheMiddleOfWorkflows(
            @TempDir Path elsewhere) {
        submit("shared", Samples.loop(600));
        try (WorkflowEngine second =
                WorkflowEngine.start(broker.log(), elsewhere, EngineOptions.DEFAULT)) {
            Await.until(
                    "both are ready", () -> second.health().isReady() && engine.health().isReady());
            for (int i = 0; i < 20; i++) {
                submit("shared" + i, Samples.DIAMOND);
            }
        }
        awaitPhase("shared", WorkflowPhase.SUCCEEDED);
        for (int i = 0; i < 20; i++) {
            awaitPhase("shared" + i, WorkflowPhase.SUCCEEDED);
        }
    }

    @Test
    void aRecordThatIsNoJsonAndACommandThatTheCoreCannotHandleAreDeadLetters() {
        String key = Samples.key("poison");
        records.send(
                new ProducerRecord<>(
                        Topics.WORKFLOW_COMMANDS, key, "no json".getBytes(StandardCharsets.UTF_8)));
        submit("sick", Samples.HELLO);
        submit("poison", Samples.HELLO);
        awaitPhase("poison", WorkflowPhase.SUCCEEDED);
        CommandAnswer answer = Await.value("the answer", () -> seen.answer("submit-sick"));
        assertThat(answer.message()).contains("see dead letter");
        records.read(
                Topics.DEAD_LETTERS,
                JsonSerde.of(DeadLetter.class),
                Await.DEFAULT,
                all ->
                        all.stream().anyMatch(r -> key.equals(r.requiredValue().key()))
                                && all.stream()
                                        .anyMatch(
                                                r ->
                                                        r.requiredValue()
                                                                .reason()
                                                                .contains("this core has a bug")));
    }

    @Test
    void aHugeWorkflowDoesNotHoldUpASmallOneOfItsPartition() {
        String huge = "held-huge";
        submit(huge, Samples.loop(50_000));
        Await.until("the huge one is started", () -> seen.nodes(huge) > 1_000);
        String small = samePartitionAs(huge);
        submit(small, Samples.DIAMOND);
        awaitPhase(small, WorkflowPhase.SUCCEEDED);
        assertThat(seen.nodes(huge))
                .as("nodes of the huge one when the small one was finished")
                .isLessThan(40_000);
        send(new WorkflowCommand.Delete("huge-d", Samples.NAMESPACE, huge));
        Await.until(
                "it is gone",
                LONG,
                () -> seen.head(huge).orElseThrow().stage() == WorkflowStage.DELETED);
    }

    private static String samePartitionAs(String name) {
        int wanted = ByWorkflow.partition(Samples.key(name), 2);
        int i = 0;
        while (ByWorkflow.partition(Samples.key("small" + i), 2) != wanted) {
            i++;
        }
        return "small" + i;
    }

    private void submit(String name, String spec) {
        send(Samples.submit(name, spec));
    }

    private void send(WorkflowCommand command) {
        records.send(
                new ProducerRecord<>(
                        Topics.WORKFLOW_COMMANDS,
                        command.namespace() + "/" + command.name(),
                        JsonSerde.of(WorkflowCommand.class).encode(command)));
    }

    private void awaitPhase(String name, WorkflowPhase phase) {
        WorkflowHead head =
                Await.value(
                        name + " is finished",
                        LONG,
                        () -> seen.head(name).filter(h -> h.stage() == WorkflowStage.DONE));
        assertThat(head.phase()).as(String.valueOf(head.message())).isEqualTo(phase);
    }
}
