package dev.millrace.testkit;

import dev.millrace.log.LogConnection;
import dev.millrace.log.LogRecord;
import dev.millrace.log.plain.Positions;
import dev.millrace.log.plain.TailReader;
import dev.millrace.log.serde.JsonSerde;
import dev.millrace.log.serde.Producers;
import dev.millrace.log.serde.Producers.Patience;
import dev.millrace.log.serde.RecordDecoder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/** Writes records and waits for records, as a test does. */
public final class TestRecords implements AutoCloseable {

    private final LogConnection log;
    private final Producer<String, byte[]> producer;

    public TestRecords(LogConnection log) {
        this.log = log;
        this.producer = Producers.plain(log, "test", Patience.ANSWER);
    }

    /** The producer, for parts under test that need one. */
    public Producer<String, byte[]> producer() {
        return producer;
    }

    /** Writes a value as JSON and waits until the log has it. */
    @SuppressWarnings("unchecked") // getClass() of a T is a Class<T> for our purpose
    public <T> RecordMetadata send(String topic, String key, T value) {
        // The declared type carries the polymorphism of sealed records, the class is one of them.
        Class<T> type = (Class<T>) sealedRoot(value.getClass());
        return send(new ProducerRecord<>(topic, key, JsonSerde.of(type).encode(value)));
    }

    /** Writes a record as it is and waits until the log has it. */
    public RecordMetadata send(ProducerRecord<String, byte[]> record) {
        try {
            return producer.send(record).get();
        } catch (ExecutionException e) {
            throw new AssertionError("the record was not written", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /** Reads JSON records from the beginning of a topic until they fulfil a condition. */
    public <T> List<LogRecord<T>> read(
            String topic, Class<T> type, Predicate<List<LogRecord<T>>> until) {
        return read(topic, JsonSerde.of(type), Await.DEFAULT, until);
    }

    /** Reads records from the beginning of a topic until they fulfil a condition. */
    public <T> List<LogRecord<T>> read(
            String topic,
            RecordDecoder<T> decoder,
            Duration atMost,
            Predicate<List<LogRecord<T>>> until) {
        List<LogRecord<T>> seen = new CopyOnWriteArrayList<>();
        try (TailReader<T> reader =
                TailReader.start(
                        log,
                        "test-" + topic,
                        topic,
                        Positions.START,
                        decoder,
                        (batch, _) -> seen.addAll(batch))) {
            try {
                Await.until("the records of " + topic, atMost, () -> until.test(seen));
            } catch (AssertionError e) {
                throw new AssertionError(
                        "%s holds %d records up to %s, and they are not what was waited for: %s"
                                .formatted(topic, seen.size(), reader.positions(), seen),
                        e);
            }
        }
        return List.copyOf(seen);
    }

    @Override
    public void close() {
        producer.close();
    }

    private static Class<?> sealedRoot(Class<?> type) {
        for (Class<?> parent : type.getInterfaces()) {
            if (parent.isSealed()) {
                return sealedRoot(parent);
            }
        }
        return type;
    }
}
