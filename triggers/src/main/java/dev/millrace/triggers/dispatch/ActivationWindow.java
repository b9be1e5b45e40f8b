package dev.millrace.triggers.dispatch;

import dev.millrace.log.LogConnection;
import dev.millrace.log.LogRecord;
import dev.millrace.log.Topics;
import dev.millrace.log.serde.Consumers;
import dev.millrace.log.serde.JsonSerde;
import dev.millrace.log.serde.UndecodableRecordException;
import dev.millrace.schemas.record.Activation;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Which record brought an activation first. The matcher may write one again after a crash; such a
 * repeat is left out, while the same record that comes again (because this process was killed) is
 * carried out again. At the start the last day is read from the log.
 */
final class ActivationWindow {

    private static final Duration KEPT = Duration.ofHours(24);

    /** About 200 bytes each. */
    private static final int MOST_IDS = 500_000;

    private static final JsonSerde<Activation> ACTIVATIONS = JsonSerde.of(Activation.class);

    /**
     * The record that counts.
     *
     * @param done completes when it was handled here; completed from the start if it was read at
     *     the start
     */
    record First(String topic, int partition, long offset, CompletableFuture<@Nullable Void> done) {

        boolean is(LogRecord<?> record) {
            return topic.equals(record.topic())
                    && partition == record.partition()
                    && offset == record.offset();
        }

        /**
         * Whether the offset of this repeat may be committed now. An offset is never committed
         * before those below it; but records are handled side by side, so that the one that counts
         * may be the later one.
         */
        boolean protects(LogRecord<?> repeat) {
            return topic.equals(repeat.topic())
                    && partition == repeat.partition()
                    && offset < repeat.offset();
        }
    }

    private final Map<String, First> firsts = new Recent();

    /** The record that counts for this activation: this one, if it is the first. */
    synchronized First first(String activationId, LogRecord<?> record) {
        return firsts.computeIfAbsent(
                activationId,
                _ ->
                        new First(
                                record.topic(),
                                record.partition(),
                                record.offset(),
                                new CompletableFuture<>()));
    }

    /**
     * Reads what the log has of the last day.
     *
     * @throws org.apache.kafka.common.KafkaException if it cannot be read
     */
    static ActivationWindow load(LogConnection log, Instant now) {
        ActivationWindow window = new ActivationWindow();
        try (Consumer<String, byte[]> consumer = Consumers.tail(log, "activation-window")) {
            List<TopicPartition> partitions =
                    Stream.of(Topics.ACTIVATIONS, Topics.JOINED_ACTIVATIONS)
                            .flatMap(topic -> consumer.partitionsFor(topic).stream())
                            .map(p -> new TopicPartition(p.topic(), p.partition()))
                            .toList();
            consumer.assign(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            Map<TopicPartition, Long> from = new HashMap<>();
            partitions.forEach(tp -> from.put(tp, now.minus(KEPT).toEpochMilli()));
            Map<TopicPartition, OffsetAndTimestamp> begins = consumer.offsetsForTimes(from);
            for (TopicPartition tp : partitions) {
                OffsetAndTimestamp begin = begins.get(tp);
                consumer.seek(tp, begin == null ? ends.getOrDefault(tp, 0L) : begin.offset());
            }
            while (!reached(consumer, ends)) {
                ConsumerRecords<String, byte[]> records = consumer.poll(Duration.ofMillis(200));
                for (ConsumerRecord<String, byte[]> record : records) {
                    window.note(record);
                }
            }
        }
        return window;
    }

    private static boolean reached(
            Consumer<String, byte[]> consumer, Map<TopicPartition, Long> ends) {
        return ends.entrySet().stream()
                .allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
    }

    private synchronized void note(ConsumerRecord<String, byte[]> record) {
        try {
            firsts.putIfAbsent(
                    ACTIVATIONS.decode(record).id(),
                    new First(
                            record.topic(),
                            record.partition(),
                            record.offset(),
                            CompletableFuture.completedFuture(null)));
        } catch (UndecodableRecordException e) {
            // The dispatcher puts it to the dead letters; here it only has no id.
            return;
        }
    }

    private static final class Recent extends LinkedHashMap<String, First> {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, First> eldest) {
            return size() > MOST_IDS;
        }
    }
}
