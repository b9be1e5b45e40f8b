package dev.millrace.triggers.dispatch;

import dev.millrace.log.Health;
import dev.millrace.log.LogConnection;
import dev.millrace.log.Topics;
import dev.millrace.log.serde.JsonSerde;
import dev.millrace.log.serde.StreamsSettings;
import dev.millrace.log.stream.CoreOptions;
import dev.millrace.log.stream.CoreProcessor;
import dev.millrace.log.stream.DedupeWindow;
import dev.millrace.log.stream.EntityStore;
import dev.millrace.log.stream.StreamsApp;
import dev.millrace.schemas.record.TriggerRetry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.Topology;

/**
 * The application that holds attempts and gives them back when they are due, exactly once, over any
 * restart.
 */
public final class RetryTimers implements AutoCloseable {

    /** Application and group id; part of the names of its internal topics, so it may not change. */
    public static final String APPLICATION = "millrace-retry-timers";

    private static final String STORE = "retries";
    private static final String SOURCE = "trigger-retries";
    private static final String PROCESSOR = "hold";
    private static final String DEAD_LETTERS_SINK = "dead-letters";

    /** Pauses of a few hundred milliseconds are usual; 20 ms more do not matter. */
    private static final Duration TIMERS_EVERY = Duration.ofMillis(20);

    private final StreamsApp app;

    private RetryTimers(StreamsApp app) {
        this.app = app;
    }

    /**
     * @param stateDir where Streams keeps its process id; kept over restarts
     */
    public static RetryTimers start(LogConnection log, Path stateDir) {
        return start(log, stateDir, UnaryOperator.identity());
    }

    /** With other settings than those of the log, the number of threads for instance. */
    public static RetryTimers start(
            LogConnection log, Path stateDir, UnaryOperator<StreamsSettings> settings) {
        return new RetryTimers(
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
        CoreOptions options =
                new CoreOptions(
                        STORE,
                        DEAD_LETTERS_SINK,
                        TIMERS_EVERY,
                        Duration.ofMillis(25),
                        DedupeWindow.DAY,
                        10_000);
        StringSerializer keys = new StringSerializer();
        return new Topology()
                .addSource(
                        SOURCE,
                        new StringDeserializer(),
                        JsonSerde.of(TriggerRetry.class).deserializer(),
                        Topics.TRIGGER_RETRIES)
                .addProcessor(
                        PROCESSOR, () -> new CoreProcessor<>(new RetryCore(), options), SOURCE)
                .addStateStore(EntityStore.builder(STORE, EntityStore.Medium.MEMORY), PROCESSOR)
                .addSink(
                        RetryCore.RELEASED_SINK,
                        Topics.TRIGGER_RETRIES,
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
