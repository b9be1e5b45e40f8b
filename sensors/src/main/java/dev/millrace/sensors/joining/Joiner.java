package dev.millrace.sensors.joining;

import dev.millrace.log.Health;
import dev.millrace.log.LogConnection;
import dev.millrace.log.Topics;
import dev.millrace.log.serde.JsonSerde;
import dev.millrace.log.serde.StreamsSettings;
import dev.millrace.log.stream.CoreOptions;
import dev.millrace.log.stream.CoreProcessor;
import dev.millrace.log.stream.EntityStore;
import dev.millrace.log.stream.StreamsApp;
import dev.millrace.schemas.record.SensorMatch;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.Topology;

/**
 * The joiner: matches in, activations out, exactly once. What waits lies in memory and in the
 * store's changelog, so it survives a restart.
 */
public final class Joiner implements AutoCloseable {

    /** Application and group id; part of the names of its internal topics, so it may not change. */
    public static final String APPLICATION = "millrace-joiner";

    private static final String STORE = "joins";
    private static final String SOURCE = "matches";
    private static final String PROCESSOR = "join";
    private static final String DEAD_LETTERS_SINK = "dead-letters";

    private final StreamsApp app;

    private Joiner(StreamsApp app) {
        this.app = app;
    }

    /**
     * @param stateDir where Streams keeps its process id; kept over restarts
     */
    public static Joiner start(LogConnection log, Path stateDir) {
        return start(log, stateDir, UnaryOperator.identity());
    }

    /** With other settings than those of the log, the number of threads for instance. */
    public static Joiner start(
            LogConnection log, Path stateDir, UnaryOperator<StreamsSettings> settings) {
        return new Joiner(
                StreamsApp.start(
                        topology(),
                        settings.apply(StreamsSettings.exactlyOnce(log, APPLICATION, stateDir))));
    }

    /** For {@code /readyz}. */
    public Health health() {
        return app.health();
    }

    @Override
    public void close() {
        app.close();
    }

    static Topology topology() {
        CoreOptions options = CoreOptions.of(STORE, DEAD_LETTERS_SINK);
        StringSerializer keys = new StringSerializer();
        return new Topology()
                .addSource(
                        SOURCE,
                        new StringDeserializer(),
                        JsonSerde.of(SensorMatch.class).deserializer(),
                        Topics.SENSOR_MATCHES)
                .addProcessor(PROCESSOR, () -> new CoreProcessor<>(new JoinCore(), options), SOURCE)
                .addStateStore(EntityStore.builder(STORE, EntityStore.Medium.MEMORY), PROCESSOR)
                .addSink(
                        JoinCore.ACTIVATIONS_SINK,
                        Topics.JOINED_ACTIVATIONS,
                        keys,
                        new ByteArraySerializer(),
                        PROCESSOR)
                .addSink(
                        JoinCore.DECISIONS_SINK,
                        Topics.DECISIONS,
                        keys,
                        new ByteArraySerializer(),
                        PROCESSOR)
                .addSink(
                        DEAD_LETTERS_SINK,
                        Topics.DEAD_LETTERS,
                        keys,
                        new ByteArraySerializer(),
                        PROCESSOR);
    }
}
