package dev.millrace.workflowengine.topology;

import dev.millrace.log.Topics;
import dev.millrace.log.serde.JsonSerde;
import dev.millrace.log.stream.EntityStore;
import dev.millrace.schemas.record.LockRequest;
import dev.millrace.workflowengine.locks.WorkflowLimits;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.Topology;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What is connected with what for the locks. Requests and manifests have one partition each, so one
 * task sees all of both. Every name is fixed here: the state's changelog is called by them.
 */
final class LockTopology {
    static final String STORE = "locks";
    static final String ANSWERS = "answers";
    static final String DEAD_LETTERS = "dead-letters";

    private static final String REQUESTS = "lock-requests";
    private static final String MANIFESTS = "manifests";
    private static final String LOCKS = "lock-machine";

    /** A record that the locks read. */
    sealed interface Read {

        /** A record of {@code lock-requests}. */
        record Request(LockRequest request) implements Read {}

        /** A record of {@code manifests}; absent if the manifest is gone. */
        record Manifest(@Nullable JsonNode manifest) implements Read {}
    }

    private LockTopology() {}

    static Topology topology(WorkflowLimits limits) {
        StringSerializer keys = new StringSerializer();
        return new Topology()
                .addSource(
                        REQUESTS,
                        new StringDeserializer(),
                        requests(JsonSerde.of(LockRequest.class)),
                        Topics.LOCK_REQUESTS)
                .addSource(
                        MANIFESTS,
                        new StringDeserializer(),
                        manifests(JsonSerde.of(JsonNode.class)),
                        Topics.MANIFESTS)
                .addProcessor(LOCKS, () -> new LockProcessor(limits), REQUESTS, MANIFESTS)
                .addStateStore(EntityStore.builder(STORE, EntityStore.Medium.MEMORY), LOCKS)
                .addSink(ANSWERS, Topics.WORKFLOW_COMMANDS, keys, new ByteArraySerializer(), LOCKS)
                .addSink(DEAD_LETTERS, Topics.DEAD_LETTERS, keys, new ByteArraySerializer(), LOCKS);
    }

    @SuppressWarnings("NullAway") // Kafka's interface: null bytes are no request
    private static Deserializer<Read> requests(JsonSerde<LockRequest> serde) {
        return (topic, bytes) ->
                bytes == null ? null : new Read.Request(serde.decode(topic, bytes));
    }

    private static Deserializer<Read> manifests(JsonSerde<JsonNode> serde) {
        return (topic, bytes) ->
                new Read.Manifest(bytes == null ? null : serde.decode(topic, bytes));
    }
}
