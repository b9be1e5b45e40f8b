package dev.millrace.eventsources.state;

import dev.millrace.eventsources.EntryKey;
import dev.millrace.log.LogConnection;
import dev.millrace.log.Topics;
import dev.millrace.log.serde.Consumers;
import dev.millrace.log.serde.JsonSerde;
import dev.millrace.log.serde.Producers;
import dev.millrace.log.serde.UndecodableRecordException;
import dev.millrace.schemas.record.SourceState;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A partition of {@code source-state} while this process has it. Thread-safe; what several entries
 * commit is put in a row.
 */
public final class OwnedPartition {

    private static final Logger LOG = LoggerFactory.getLogger(OwnedPartition.class);
    private static final JsonSerde<SourceState> SERDE = JsonSerde.of(SourceState.class);

    private final LogConnection log;
    private final int partition;
    private final CountDownLatch lost = new CountDownLatch(1);
    private final Map<String, SourceState> states = new HashMap<>();
    private @Nullable Producer<String, byte[]> producer;

    OwnedPartition(LogConnection log, int partition) {
        this.log = log;
        this.partition = partition;
    }

    /** Whether another process has it now, or nobody. */
    public boolean isLost() {
        return lost.getCount() == 0;
    }

    /** Sleeps, but not beyond the loss. */
    @SuppressWarnings("ReturnValueIgnored") // both ends of the wait lead to another look
    public void awaitLost(Duration atMost) throws InterruptedException {
        lost.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
    }

    /**
     * The position of an entry, as its last owner left it.
     *
     * @throws KafkaException if the log cannot be read
     */
    public synchronized Optional<String> position(EntryKey key) {
        open();
        return Optional.ofNullable(states.get(key.toString())).map(SourceState::position);
    }

    /**
     * Writes an event and the position after it, both or neither.
     *
     * @throws KafkaException if neither is in the log, or nobody knows: the position is read anew
     *     from the log when it is asked for next
     */
    public synchronized void commit(
            Optional<ProducerRecord<String, byte[]>> event, SourceState state) {
        String key = new EntryKey(state.namespace(), state.eventSource(), state.event()).toString();
        write(
                event,
                new ProducerRecord<>(Topics.SOURCE_STATE, partition, key, SERDE.encode(state)));
        states.put(key, state);
    }

    /** Forgets an entry that is gone, so that a new one of its name begins anew. */
    @SuppressWarnings("NullAway") // a tombstone
    synchronized void forget(EntryKey key) {
        open();
        if (states.containsKey(key.toString())) {
            write(
                    Optional.empty(),
                    new ProducerRecord<>(Topics.SOURCE_STATE, partition, key.toString(), null));
            states.remove(key.toString());
        }
    }

    /** Wakes who waits, lets a commit in flight end, and then writes nothing any more. */
    void lose() {
        lost.countDown();
        synchronized (this) {
            discard();
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the commit fails when a send has failed
    private void write(
            Optional<ProducerRecord<String, byte[]>> event, ProducerRecord<String, byte[]> state) {
        Producer<String, byte[]> open = open();
        try {
            open.beginTransaction();
            event.ifPresent(open::send);
            open.send(state);
            open.commitTransaction();
        } catch (RuntimeException e) {
            // After a failed commit only the log knows what happened; opening anew settles it.
            discard();
            throw e;
        }
    }

    private Producer<String, byte[]> open() {
        if (isLost()) {
            throw new KafkaException(
                    "partition " + partition + " of " + Topics.SOURCE_STATE + " has a new owner");
        }
        Producer<String, byte[]> open = producer;
        if (open != null) {
            return open;
        }
        String id = "millrace-source-state-" + partition;
        Producer<String, byte[]> fresh = Producers.transactional(log, id, id);
        try {
            // First fence the former owner, then read: nothing can be added behind our back.
            fresh.initTransactions();
            load();
        } catch (RuntimeException e) {
            fresh.close(Duration.ZERO);
            throw e;
        }
        producer = fresh;
        return fresh;
    }

    private void discard() {
        Producer<String, byte[]> open = producer;
        producer = null;
        if (open != null) {
            open.close(Duration.ZERO);
        }
    }

    private void load() {
        states.clear();
        TopicPartition place = new TopicPartition(Topics.SOURCE_STATE, partition);
        try (Consumer<String, byte[]> reader =
                Consumers.tail(log, "source-state-reader-" + partition)) {
            reader.assign(List.of(place));
            reader.seekToBeginning(List.of(place));
            Long end = reader.endOffsets(List.of(place)).get(place);
            while (end != null && reader.position(place) < end) {
                reader.poll(Duration.ofMillis(100)).forEach(this::take);
            }
        }
    }

    private void take(ConsumerRecord<String, byte[]> record) {
        if (record.value() == null) {
            states.remove(record.key());
            return;
        }
        try {
            states.put(record.key(), SERDE.decode(record));
        } catch (UndecodableRecordException e) {
            LOG.error("A position is unreadable, so its entry begins anew", e);
            states.remove(record.key());
        }
    }
}
