package dev.millrace.workflowengine.cron.topology;

import dev.millrace.log.Topics;
import dev.millrace.log.serde.JsonSerde;
import dev.millrace.log.stream.CoreOptions;
import dev.millrace.log.stream.CoreProcessor;
import dev.millrace.log.stream.EntityStore;
import dev.millrace.schemas.record.CronInput;
import dev.millrace.workflowengine.cron.CronMachine;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;

/**
 * Three sub-topologies: definitions and the lives of workflows become inputs of the CronWorkflow
 * that they concern, and those are decided where its state is. Every name is fixed here: internal
 * topics are called by them.
 */
final class CronTopology {
    static final String STORE = "crons";

    private static final String MANIFESTS = "manifests";
    private static final String EVENTS = "workflow-events";
    private static final String DEFINITIONS = "cron-definitions";
    private static final String LIVES = "workflow-lives";
    private static final String DEFINED = "cron-defined";
    private static final String LIVED = "cron-lived";
    private static final String INPUTS = "cron-inputs";
    private static final String CRONS = "cron-workflows";
    private static final String DEAD_LETTERS = "dead-letters";

    private CronTopology() {}

    static Topology of(CronMachine machine, CronMeter meter) {
        StringDeserializer keys = new StringDeserializer();
        StringSerializer writtenKeys = new StringSerializer();
        JsonSerde<CronInput> inputs = JsonSerde.of(CronInput.class);
        ProcessorSupplier<String, CronMachine.Input, String, Object> crons =
                () ->
                        new CoreProcessor<>(
                                new CronTurns(machine, meter), CoreOptions.of(STORE, DEAD_LETTERS));
        return new Topology()
                .addSource(MANIFESTS, keys, new ByteArrayDeserializer(), Topics.MANIFESTS)
                .addProcessor(DEFINITIONS, DefinitionsOfCrons::new, MANIFESTS)
                .addSink(DEFINED, Topics.CRON_INPUTS, writtenKeys, inputs.serializer(), DEFINITIONS)
                .addSource(EVENTS, keys, LifeSigns.deserializer(), Topics.WORKFLOW_EVENTS)
                .addProcessor(LIVES, WorkflowsOfCrons::new, EVENTS)
                .addStateStore(WorkflowsOfCrons.builder(), LIVES)
                .addSink(LIVED, Topics.CRON_INPUTS, writtenKeys, inputs.serializer(), LIVES)
                .addSource(INPUTS, keys, facts(inputs), Topics.CRON_INPUTS)
                .addProcessor(CRONS, crons, INPUTS)
                .addStateStore(EntityStore.builder(STORE, EntityStore.Medium.MEMORY), CRONS)
                .addSink(
                        CronTurns.ORDERS,
                        Topics.CRON_ORDERS,
                        writtenKeys,
                        new ByteArraySerializer(),
                        CRONS)
                .addSink(
                        CronTurns.STATUS,
                        Topics.STATUS,
                        writtenKeys,
                        new ByteArraySerializer(),
                        CRONS)
                .addSink(
                        DEAD_LETTERS,
                        Topics.DEAD_LETTERS,
                        writtenKeys,
                        new ByteArraySerializer(),
                        CRONS);
    }

    @SuppressWarnings(
            "NullAway") // Kafka's interface: null bytes are no input, which the processor says
    private static Deserializer<CronMachine.Input> facts(JsonSerde<CronInput> inputs) {
        return (topic, bytes) ->
                bytes == null ? null : new CronMachine.Input.Fact(inputs.decode(topic, bytes));
    }
}
