package dev.millrace.workflowengine.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.log.Partitions;
import dev.millrace.log.Topics;
import dev.millrace.log.serde.JsonSerde;
import dev.millrace.schemas.record.LockRequest;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.WorkflowCommand;
import dev.millrace.schemas.record.WorkflowHead;
import dev.millrace.schemas.record.WorkflowPhase;
import dev.millrace.schemas.record.WorkflowStage;
import dev.millrace.testkit.Await;
import dev.millrace.testkit.TestBroker;
import dev.millrace.testkit.TestRecords;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Workflows that compete for locks, with the engine, the locks and a broker as they are. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LockServiceIT {
    private static final Duration LONG = Duration.ofSeconds(90);

    @RegisterExtension final TestBroker broker = new TestBroker(new Partitions(2));

    private TestRecords records;
    private StepsAnswered executor;
    private WorkflowsSeen seen;
    private LocksHeld held;
    private WorkflowEngine engine;
    private LockService locks;
    private Path folder;

    @BeforeAll
    void start(@TempDir Path stateDir) {
        folder = stateDir;
        records = broker.records();
        executor =
                new StepsAnswered(
                        broker.log(),
                        spec ->
                                spec.workflow().name().startsWith("held")
                                        ? null
                                        : NodePhase.SUCCEEDED);
        seen = new WorkflowsSeen(broker.log());
        held = new LocksHeld(broker.log());
        engine = WorkflowEngine.start(broker.log(), folder, EngineOptions.DEFAULT);
        locks = LockService.start(broker.log(), folder, 1);
    }

    @AfterAll
    void stop() {
        locks.close();
        engine.close();
        executor.close();
        seen.close();
        held.close();
        records.close();
    }

    @Test
    void workflowsThatCompeteForAMutexRunOneAfterTheOther() {
        List<String> names = names("mutex", 8);
        names.forEach(name -> submit(name, Samples.mutex("one")));
        names.forEach(name -> awaitPhase(name, WorkflowPhase.SUCCEEDED));
        assertThat(held.most("ns/Mutex/one")).isEqualTo(1);
        assertThat(held.waited()).as("some had to wait").isPositive();
    }

    @Test
    void nodesOfSeveralWorkflowsShareASemaphoreWhoseLimitChanges() {
        configMap("limits", "{\"data\": {\"most\": \"2\"}}");
        List<String> names = names("semaphore", 4);
        names.forEach(name -> submit(name, Samples.semaphoreLoop(5)));
        Await.until(
                "some had it",
                LONG,
                () -> held.all().stream().filter(LockServiceIT::ofLimits).count() >= 4);
        assertThat(held.most("ns/ConfigMap/limits/most")).isLessThanOrEqualTo(2);
        configMap("limits", "{\"data\": {\"most\": \"6\"}}");
        names.forEach(name -> awaitPhase(name, WorkflowPhase.SUCCEEDED));
        assertThat(held.most("ns/ConfigMap/limits/most")).isBetween(2, 6);
    }

    private static boolean ofLimits(LocksHeld.Interval interval) {
        return interval.locks().contains("ns/ConfigMap/limits/most");
    }

    @Test
    void aConfigMapThatIsMissingFailsTheWorkflow() {
        submit("broken", Samples.mutex("x").replace("mutexes: [{name: x}]", BROKEN));
        WorkflowHead head = awaitPhase("broken", WorkflowPhase.FAILED);
        assertThat(head.message())
                .startsWith("Failed to acquire the synchronization lock. ")
                .contains("configmaps \"gone\" not found");
    }

    private static final String BROKEN = "semaphores: [{configMapKeyRef: {name: gone, key: k}}]";

    @Test
    void aDeletedHolderMakesRoomAndARestartOfTheLocksForgetsNobody() {
        submit("held-first", Samples.mutex("kept"));
        Await.until(
                "it has its lock",
                () -> seen.head("held-first").filter(h -> h.activeSteps() == 1).isPresent());
        submit("after", Samples.mutex("kept"));
        Await.until(
                "the next one waits",
                () ->
                        seen.head("after")
                                .filter(h -> h.phase() == WorkflowPhase.PENDING)
                                .isPresent());
        locks.close();
        send(new WorkflowCommand.Delete("delete-first", Samples.NAMESPACE, "held-first"));
        locks = LockService.start(broker.log(), folder, 1);
        awaitPhase("after", WorkflowPhase.SUCCEEDED);
        assertThat(locks.health().isReady()).isTrue();
    }

    @Test
    void whatIsGrantedToNobodyIsGivenBack() {
        // As if the workflow had never been: nobody will ever release it.
        var ghost = Samples.holder("ghost");
        request(
                new LockRequest.Acquire(
                        ghost, List.of("ns/Mutex/haunted"), 9, java.time.Instant.EPOCH));
        submit("haunted", Samples.mutex("haunted"));
        awaitPhase("haunted", WorkflowPhase.SUCCEEDED);
    }

    private void request(LockRequest request) {
        records.send(
                new ProducerRecord<>(
                        Topics.LOCK_REQUESTS,
                        LockRequest.KEY,
                        JsonSerde.of(LockRequest.class).encode(request)));
    }

    private void configMap(String name, String manifest) {
        records.send(
                new ProducerRecord<>(
                        Topics.MANIFESTS,
                        "ConfigMap/ns/" + name,
                        manifest.getBytes(StandardCharsets.UTF_8)));
    }

    private static List<String> names(String prefix, int count) {
        return java.util.stream.IntStream.range(0, count).mapToObj(i -> prefix + i).toList();
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

    private WorkflowHead awaitPhase(String name, WorkflowPhase phase) {
        WorkflowHead head =
                Await.value(
                        name + " is finished",
                        LONG,
                        () -> seen.head(name).filter(h -> h.stage() == WorkflowStage.DONE));
        assertThat(head.phase()).as(String.valueOf(head.message())).isEqualTo(phase);
        return head;
    }
}
