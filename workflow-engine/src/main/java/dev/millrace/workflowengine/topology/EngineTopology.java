package dev.millrace.workflowengine.topology;

import dev.millrace.log.Topics;
import dev.millrace.log.serde.JsonSerde;
import dev.millrace.log.stream.EntityStore;
import dev.millrace.schemas.record.StepReport;
import dev.millrace.schemas.record.WorkflowCommand;
import java.util.function.Function;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;

/**
 * What is connected with what. Every name is fixed here: the state's changelog is called by them,
 * and a changed name would lose it.
 */
final class EngineTopology {
    static final String STORE = "workflows";
    static final String EVENTS = "workflow-events";
    static final String STEPS = "steps";
    static final String CACHE_REQUESTS = "cache-requests";
    static final String LOCK_REQUESTS = "lock-requests";
    static final String METRICS = "workflow-metrics";
    static final String DEAD_LETTERS = "dead-letters";

    private static final String COMMANDS = "workflow-commands";
    private static final String RESULTS = "step-results";
    private static final String ENGINE = "workflow-engine";

    private EngineTopology() {}

    /**
     * One sub-topology: both inputs are keyed by workflow and have the same partition count, so one
     * task sees everything about a workflow.
     */
    static Topology of(Decisions core, EngineOptions options) {
        ProcessorSupplier<String, EngineInput, String, Object> engine =
                () -> new WorkflowProcessor(core, options);
        return new Topology()
                .addSource(
                        COMMANDS,
                        new StringDeserializer(),
                        inputs(WorkflowCommand.class, EngineInput.Command::new),
                        Topics.WORKFLOW_COMMANDS)
                .addSource(
                        RESULTS,
                        new StringDeserializer(),
                        inputs(StepReport.class, EngineInput.Report::new),
                        Topics.STEP_RESULTS)
                .addProcessor(ENGINE, engine, COMMANDS, RESULTS)
                .addStateStore(EntityStore.builder(STORE, options.medium()), ENGINE)
                .addSink(
                        EVENTS,
                        Topics.WORKFLOW_EVENTS,
                        new StringSerializer(),
                        new ByteArraySerializer(),
                        new ByWorkflow(),
                        ENGINE)
                .addSink(
                        STEPS,
                        Topics.STEPS,
                        new StringSerializer(),
                        new ByteArraySerializer(),
                        ENGINE)
                .addSink(
                        CACHE_REQUESTS,
                        Topics.CACHE_REQUESTS,
                        new StringSerializer(),
                        new ByteArraySerializer(),
                        ENGINE)
                .addSink(
                        LOCK_REQUESTS,
                        Topics.LOCK_REQUESTS,
                        new StringSerializer(),
                        new ByteArraySerializer(),
                        ENGINE)
                .addSink(
                        METRICS,
                        Topics.WORKFLOW_METRICS,
                        new StringSerializer(),
                        new ByteArraySerializer(),
                        ENGINE)
                .addSink(
                        DEAD_LETTERS,
                        Topics.DEAD_LETTERS,
                        new StringSerializer(),
                        new ByteArraySerializer(),
                        ENGINE);
    }

    @SuppressWarnings(
            "NullAway") // Kafka's interface: null bytes are no input, which the processor says
    private static <T> Deserializer<EngineInput> inputs(
            Class<T> type, Function<T, EngineInput> input) {
        JsonSerde<T> serde = JsonSerde.of(type);
        return (topic, bytes) -> bytes == null ? null : input.apply(serde.decode(topic, bytes));
    }
}
