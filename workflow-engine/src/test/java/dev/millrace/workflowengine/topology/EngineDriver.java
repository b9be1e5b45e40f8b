package dev.millrace.workflowengine.topology;

import dev.millrace.log.Topics;
import dev.millrace.log.serde.JsonSerde;
import dev.millrace.log.stream.EntityStore;
import dev.millrace.log.stream.EntityStore.Medium;
import dev.millrace.schemas.record.CommandAnswer;
import dev.millrace.schemas.record.DeadLetter;
import dev.millrace.schemas.record.LockRequest;
import dev.millrace.schemas.record.MetricSeries;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.StepCommand;
import dev.millrace.schemas.record.StepOutcome;
import dev.millrace.schemas.record.StepReport;
import dev.millrace.schemas.record.StepSpec;
import dev.millrace.schemas.record.WorkflowCommand;
import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.schemas.record.WorkflowTransition;
import dev.millrace.workflowengine.core.WorkflowInput;
import dev.millrace.workflowengine.core.WorkflowMachine;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The engine's topology without a broker, with a clock that stands still, and an executor that
 * answers when told.
 */
final class EngineDriver implements AutoCloseable {

    /** What the core was asked and said. */
    record Decided(String workflow, WorkflowInput input, Instant now, List<WorkflowEvent> events) {}

    final List<Decided> decided = new ArrayList<>();

    /** Records of workflow-events by key, as compaction keeps them. */
    final Map<String, WorkflowTransition> transitions = new LinkedHashMap<>();

    /** Records of workflow-metrics by key, as compaction keeps them. */
    final Map<String, MetricSeries> metrics = new LinkedHashMap<>();

    final List<StepCommand> steps = new ArrayList<>();
    final List<LockRequest> lockRequests = new ArrayList<>();
    final List<DeadLetter> deadLetters = new ArrayList<>();
    final AtomicInteger failures = new AtomicInteger();
    final Deque<StepSpec> waiting = new ArrayDeque<>();

    private final TopologyTestDriver driver;
    private final TestInputTopic<String, byte[]> commands;
    private final TestInputTopic<String, byte[]> results;
    private Instant clock = Instant.parse("2026-01-01T00:00:00Z");

    EngineDriver() {
        this(new WorkflowMachine(20)::decide);
    }

    EngineDriver(Decisions core) {
        Decisions recorded =
                (state, namespace, name, input, now) -> {
                    List<WorkflowEvent> events = core.decide(state, namespace, name, input, now);
                    decided.add(new Decided(namespace + "/" + name, input, now, events));
                    return events;
                };
        EngineMeter meter =
                new EngineMeter() {
                    @Override
                    public void input() {}

                    @Override
                    public void transition(int events) {}

                    @Override
                    public void failure() {
                        failures.incrementAndGet();
                    }
                };
        Properties properties = new Properties();
        properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "engine");
        properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "none:1");
        driver =
                new TopologyTestDriver(
                        EngineTopology.of(
                                recorded,
                                EngineOptions.DEFAULT.withMedium(Medium.MEMORY).withMeter(meter)),
                        properties,
                        clock);
        commands =
                driver.createInputTopic(
                        Topics.WORKFLOW_COMMANDS,
                        new StringSerializer(),
                        new ByteArraySerializer());
        results =
                driver.createInputTopic(
                        Topics.STEP_RESULTS, new StringSerializer(), new ByteArraySerializer());
    }

    void send(WorkflowCommand command) {
        send(command.namespace() + "/" + command.name(), command);
    }

    void send(String key, WorkflowCommand command) {
        commands.pipeInput(key, JsonSerde.of(WorkflowCommand.class).encode(command), clock);
        collect();
    }

    void report(StepReport report) {
        results.pipeInput(
                report.workflow().key(), JsonSerde.of(StepReport.class).encode(report), clock);
        collect();
    }

    void finish(StepSpec spec, NodePhase phase) {
        StepOutcome outcome =
                new StepOutcome(
                        phase,
                        phase == NodePhase.SUCCEEDED ? null : "exit code 1",
                        0,
                        null,
                        Map.of(),
                        // Stored as it was told.
                        spec.template().outputs() == null
                                ? List.of()
                                : spec.template().outputs().artifacts());
        report(
                new StepReport.Finished(
                        spec.stepId(), spec.nodeId(), spec.workflow(), clock, clock, outcome));
    }

    /** Lets time go by; timers fire. */
    void pass(Duration time) {
        clock = clock.plus(time);
        driver.advanceWallClockTime(time);
        collect();
    }

    /** Finishes all steps, and lets the workflows go on, until nothing is left. */
    void run() {
        pass(Duration.ofMillis(50));
        while (!waiting.isEmpty()) {
            finish(waiting.removeFirst(), NodePhase.SUCCEEDED);
            if (waiting.isEmpty()) {
                pass(Duration.ofMillis(50));
            }
        }
    }

    StoreWorkflowState state(String name) {
        KeyValueStore<String, byte[]> store = driver.getKeyValueStore(EngineTopology.STORE);
        return new StoreWorkflowState(
                new EntityStore(store, 10),
                new EntryKeys(store),
                new RecentSources(1, 1_000_000),
                Samples.key(name));
    }

    /** Everything that the store holds about anything. */
    List<String> storedKeys() {
        List<String> keys = new ArrayList<>();
        try (var all = driver.<String, byte[]>getKeyValueStore(EngineTopology.STORE).all()) {
            all.forEachRemaining(e -> keys.add(e.key));
        }
        return keys;
    }

    /** Bytes of the largest entry in the store, as its changelog has it. */
    int largestEntry() {
        int largest = 0;
        try (var all = driver.<String, byte[]>getKeyValueStore(EngineTopology.STORE).all()) {
            while (all.hasNext()) {
                largest = Math.max(largest, all.next().value.length);
            }
        }
        return largest;
    }

    @Nullable CommandAnswer answer(String commandId) {
        return transitions.values().stream()
                .flatMap(t -> t.events().stream())
                .filter(
                        e ->
                                e instanceof WorkflowEvent.CommandAnswered(var a)
                                        && a.commandId().equals(commandId))
                .map(e -> ((WorkflowEvent.CommandAnswered) e).answer())
                .findFirst()
                .orElse(null);
    }

    private void collect() {
        driver.createOutputTopic(
                        Topics.WORKFLOW_METRICS,
                        new StringDeserializer(),
                        JsonSerde.of(MetricSeries.class).deserializer())
                .readKeyValuesToList()
                .forEach(r -> metrics.put(r.key, r.value));
        var events =
                driver.createOutputTopic(
                        Topics.WORKFLOW_EVENTS,
                        new StringDeserializer(),
                        JsonSerde.of(WorkflowTransition.class).deserializer());
        events.readKeyValuesToList()
                .forEach(
                        r -> {
                            if (r.value == null) {
                                transitions.remove(r.key);
                            } else {
                                transitions.put(r.key, r.value);
                            }
                        });
        driver.createOutputTopic(
                        Topics.STEPS,
                        new StringDeserializer(),
                        JsonSerde.of(StepCommand.class).deserializer())
                .readValuesToList()
                .forEach(
                        step -> {
                            steps.add(step);
                            if (step instanceof StepCommand.Start(var spec)) {
                                waiting.add(spec);
                            }
                        });
        lockRequests.addAll(
                driver.createOutputTopic(
                                Topics.LOCK_REQUESTS,
                                new StringDeserializer(),
                                JsonSerde.of(LockRequest.class).deserializer())
                        .readValuesToList());
        deadLetters.addAll(
                driver.createOutputTopic(
                                Topics.DEAD_LETTERS,
                                new StringDeserializer(),
                                JsonSerde.of(DeadLetter.class).deserializer())
                        .readValuesToList());
    }

    @Override
    public void close() {
        driver.close();
    }
}
