package dev.millrace.workflowengine.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.log.Topics;
import dev.millrace.log.serde.JsonSerde;
import dev.millrace.schemas.record.DeadLetter;
import dev.millrace.schemas.record.LockHolder;
import dev.millrace.schemas.record.LockRequest;
import dev.millrace.schemas.record.WorkflowCommand;
import dev.millrace.workflowengine.locks.WorkflowLimits;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TopologyTestDriver;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LockTopologyTest {
    private static final String MUTEX = "ns/Mutex/m";
    private static final String SEMAPHORE = "ns/ConfigMap/limits/most";
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final TopologyTestDriver driver =
            new TopologyTestDriver(LockTopology.topology(WorkflowLimits.NONE), properties(), START);

    private static Properties properties() {
        Properties properties = new Properties();
        properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "locks");
        properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "none:1");
        return properties;
    }

    @AfterEach
    void close() {
        driver.close();
    }

    private static LockHolder holder(String name) {
        return new LockHolder("ns", name, "uid", null, 0);
    }

    private static LockRequest ask(String name, String... locks) {
        return new LockRequest.Acquire(holder(name), List.of(locks), 0, START);
    }

    private List<WorkflowCommand> send(LockRequest request) {
        driver.createInputTopic(
                        Topics.LOCK_REQUESTS,
                        new StringSerializer(),
                        JsonSerde.of(LockRequest.class).serializer())
                .pipeInput(LockRequest.KEY, request, START);
        return answers();
    }

    @SuppressWarnings("NullAway") // null is a tombstone
    private List<WorkflowCommand> manifest(String key, @Nullable String text) {
        driver.createInputTopic(Topics.MANIFESTS, new StringSerializer(), new ByteArraySerializer())
                .pipeInput(key, text == null ? null : text.getBytes(StandardCharsets.UTF_8), START);
        return pass(Duration.ofMillis(100));
    }

    private List<WorkflowCommand> pass(Duration time) {
        driver.advanceWallClockTime(time);
        return answers();
    }

    private List<WorkflowCommand> answers() {
        List<WorkflowCommand> answers = new ArrayList<>();
        driver.createOutputTopic(
                        Topics.WORKFLOW_COMMANDS,
                        new StringDeserializer(),
                        JsonSerde.of(WorkflowCommand.class).deserializer())
                .readKeyValuesToList()
                .forEach(
                        r -> {
                            assertThat(r.key).isEqualTo(r.value.namespace() + "/" + r.value.name());
                            answers.add(r.value);
                        });
        return answers;
    }

    @Test
    void theNamesOfTheTopologyStayAsTheyAreSinceTheStateIsCalledByThem() throws IOException {
        try (InputStream golden = getClass().getResourceAsStream("lock-topology.txt")) {
            String expected =
                    new String(
                            Objects.requireNonNull(golden, "lock-topology.txt is missing")
                                    .readAllBytes(),
                            StandardCharsets.UTF_8);
            assertThat(LockService.topology().describe().toString().strip())
                    .isEqualTo(expected.strip());
        }
    }

    @Test
    void answersGoToTheWorkflowsThatAsked() {
        assertThat(send(ask("a", MUTEX)))
                .containsExactly(new WorkflowCommand.LockGranted(holder("a")));
        assertThat(send(ask("b", MUTEX)))
                .containsExactly(
                        new WorkflowCommand.LockWaiting(
                                holder("b"),
                                MUTEX,
                                "Waiting for ns/Mutex/m lock. Lock status: 0/1"));
        assertThat(send(new LockRequest.Release(holder("a"))))
                .containsExactly(new WorkflowCommand.LockGranted(holder("b")));
    }

    @Test
    void limitsAreThoseOfTheConfigMapsAmongTheManifests() {
        manifest("Sensor/ns/limits", "{\"data\": {\"most\": \"9\"}}");
        manifest("ConfigMap/ns/limits", "{\"data\": {\"most\": \"1\", \"file\": \"x\"}}");
        assertThat(send(ask("a", SEMAPHORE))).hasSize(1);
        send(ask("b", SEMAPHORE));
        assertThat(manifest("ConfigMap/ns/limits", "{\"data\": {\"most\": 2}}"))
                .containsExactly(new WorkflowCommand.LockGranted(holder("b")));
        send(ask("c", SEMAPHORE));
        manifest("ConfigMap/ns/limits", null);
        assertThat(send(new LockRequest.Release(holder("a")))).isEmpty();
        assertThat(manifest("ConfigMap/ns/limits", "{\"data\": {\"most\": 2}}"))
                .containsExactly(new WorkflowCommand.LockGranted(holder("c")));
    }

    @Test
    void aLimitMayComeALittleLaterButNotNever() {
        assertThat(pass(Duration.ofMillis(10))).as("nobody is there at the start").isEmpty();
        assertThat(send(ask("a", SEMAPHORE))).isEmpty();
        assertThat(manifest("ConfigMap/ns/limits", "{\"data\": {\"most\": \"1\"}}"))
                .containsExactly(new WorkflowCommand.LockGranted(holder("a")));
        assertThat(send(ask("b", "ns/ConfigMap/gone/key"))).isEmpty();
        assertThat(pass(LockTurns.LIMITS_MAY_BE_LATE.plusSeconds(1)))
                .singleElement()
                .isInstanceOfSatisfying(
                        WorkflowCommand.LockRefused.class,
                        refused -> assertThat(refused.message()).contains("\"gone\" not found"));
    }

    @Test
    void whatCannotBeDecidedIsADeadLetterAndTheOthersGoOn() {
        send(ask("a", MUTEX));
        send(ask("odd", "no lock"));
        assertThat(
                        driver.createOutputTopic(
                                        Topics.DEAD_LETTERS,
                                        new StringDeserializer(),
                                        JsonSerde.of(DeadLetter.class).deserializer())
                                .readValuesToList())
                .singleElement()
                .extracting(DeadLetter::reason)
                .asString()
                .contains("not the name of a lock");
        send(ask("b", MUTEX));
        assertThat(send(new LockRequest.Release(holder("a"))))
                .containsExactly(new WorkflowCommand.LockGranted(holder("b")));
    }

    @Test
    void allHoldersAreToldAgainWhenItStarts() {
        send(ask("a", MUTEX));
        send(ask("b", MUTEX));
        // The clock stood still until now, so this is still the start.
        assertThat(pass(Duration.ofMillis(10)))
                .hasSize(2)
                .contains(new WorkflowCommand.LockGranted(holder("a")));
        assertThat(pass(Duration.ofMillis(10))).isEmpty();
    }
}
