package dev.millrace.log.stream;

import dev.millrace.log.LogConnection;
import dev.millrace.log.Topics;
import dev.millrace.log.serde.JsonSerde;
import dev.millrace.log.serde.StreamsSettings;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.Topology;

/**
 * A small core: counts the inputs of an entity; {@code later} also sets a timer; {@code bug}
 * throws. Reads workflow-commands, writes to steps.
 */
public final class CountingApp implements EntityCore<String> {

    static final EntryType<Integer> COUNT = EntryType.of("count", Integer.class);
    private static final JsonSerde<String> TEXT = JsonSerde.of(String.class);
    static final String STORE = "counting";

    private final Duration later;

    CountingApp(Duration later) {
        this.later = later;
    }

    @Override
    public void onInput(Input<String> input, Turn turn) {
        if (!turn.seen().firstTime(input.entity(), input.value(), turn.now())) {
            turn.emit("out", input.entity(), TEXT, "repeat " + input.value());
            return;
        }
        int count = turn.store().get(input.entity(), COUNT, "").orElse(0) + 1;
        turn.store().put(input.entity(), COUNT, "", count);
        turn.emit("out", input.entity(), TEXT, input.value() + " " + count);
        if (input.value().startsWith("later")) {
            turn.timers().set(input.entity(), input.value(), turn.now().plus(later));
        }
        if (input.value().startsWith("bug")) {
            throw new IllegalStateException("this core has a bug");
        }
        if (input.value().startsWith("huge")) {
            turn.emit("out", input.entity(), TEXT, "x".repeat(Topics.MAX_RECORD_BYTES));
        }
        if (input.value().startsWith("deep")) {
            deeper(0);
        }
    }

    @Override
    public void onTimer(Timer timer, Turn turn) {
        turn.emit("out", timer.entity(), TEXT, "fired " + timer.id());
    }

    @Override
    public void onFailure(String entity, String reference, RuntimeException cause, Turn turn) {
        turn.emit("out", entity, TEXT, "failed " + reference);
    }

    private static int deeper(int depth) {
        return deeper(depth + 1) + 1;
    }

    static Topology topology(EntityStore.Medium medium, Duration later) {
        var text = JsonSerde.of(String.class);
        return new Topology()
                .addSource(
                        "in",
                        new StringDeserializer(),
                        text.deserializer(),
                        Topics.WORKFLOW_COMMANDS)
                .addProcessor(
                        "core",
                        () ->
                                new CoreProcessor<>(
                                        new CountingApp(later), CoreOptions.of(STORE, "dead")),
                        "in")
                .addStateStore(EntityStore.builder(STORE, medium), "core")
                .addSink(
                        "out",
                        Topics.STEPS,
                        new StringSerializer(),
                        new ByteArraySerializer(),
                        "core")
                .addSink(
                        "dead",
                        Topics.DEAD_LETTERS,
                        new StringSerializer(),
                        new ByteArraySerializer(),
                        "core");
    }

    static StreamsApp start(LogConnection log, Path folder) {
        return start(log, folder, EntityStore.Medium.ROCKSDB, Duration.ofMillis(200), true);
    }

    static StreamsApp start(
            LogConnection log,
            Path folder,
            EntityStore.Medium medium,
            Duration later,
            boolean transactionalStores) {
        return StreamsApp.start(
                topology(medium, later),
                StreamsSettings.exactlyOnce(log, "counting", folder.resolve("state"))
                        .commitsWhenAsked()
                        .transactionalStores(transactionalStores));
    }
}
