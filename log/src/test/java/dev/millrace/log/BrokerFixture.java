package dev.millrace.log;

import dev.millrace.log.embedded.BrokerOptions;
import dev.millrace.log.embedded.EmbeddedBroker;
import dev.millrace.log.plain.Positions;
import dev.millrace.log.plain.TailReader;
import dev.millrace.log.serde.Producers;
import dev.millrace.log.serde.Producers.Patience;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.Producer;

/** A broker with all topics, for tests of this module (the testkit depends on it). */
public final class BrokerFixture implements AutoCloseable {

    public final EmbeddedBroker broker;
    public final LogConnection log;
    public final Producer<String, byte[]> producer;
    public final DeadLetters deadLetters;

    public BrokerFixture(Path folder, int partitions) {
        broker = EmbeddedBroker.start(folder.resolve("broker"), BrokerOptions.DEFAULT);
        log = new LogConnection(broker.bootstrapServers(), Duration.ofSeconds(3), null, Map.of());
        try (Admin admin = Admin.create(log.clientSettings())) {
            TopicsAdmin.ensure(admin, new Partitions(partitions));
        }
        producer = Producers.plain(log, "fixture", Patience.NEVER_GIVES_UP);
        deadLetters = new DeadLetters(producer, text -> text);
    }

    /** All records of a topic, once they fulfil a condition. */
    public List<LogRecord<String>> read(
            String topic, Predicate<List<LogRecord<String>>> condition) {
        List<LogRecord<String>> seen = new CopyOnWriteArrayList<>();
        try (var reader =
                TailReader.start(
                        log,
                        "fixture-reader",
                        topic,
                        Positions.START,
                        record ->
                                new String(record.value(), java.nio.charset.StandardCharsets.UTF_8),
                        (batch, _) -> seen.addAll(batch))) {
            until(() -> condition.test(seen));
        }
        return List.copyOf(seen);
    }

    /** Waits for a fact, half a minute at most. */
    public static void until(Callable<Boolean> fact) {
        long deadline = System.nanoTime() + 30_000_000_000L;
        try {
            while (!fact.call()) {
                if (System.nanoTime() > deadline) {
                    throw new AssertionError("not within 30 s");
                }
                Thread.sleep(2);
            }
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        producer.close();
        broker.close();
    }
}
