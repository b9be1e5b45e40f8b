package dev.millrace.bench.load;

import dev.millrace.log.LogConnection;
import dev.millrace.log.serde.Consumers;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** How large the records of topics are; those that came since the last look. */
final class LargestRecords implements AutoCloseable {
    private final Consumer<String, byte[]> consumer;
    private final List<TopicPartition> partitions;

    LargestRecords(LogConnection log, List<String> topics) {
        consumer = Consumers.tail(log, "bench-largest-records");
        partitions =
                topics.stream()
                        .flatMap(t -> consumer.partitionsFor(t).stream())
                        .map(p -> new TopicPartition(p.topic(), p.partition()))
                        .toList();
        consumer.assign(partitions);
        consumer.seekToEnd(partitions);
        partitions.forEach(consumer::position);
    }

    /** Bytes of the largest record of each topic since the last look, key and value. */
    Map<String, Long> look() {
        Map<String, Long> largest = new HashMap<>();
        Map<TopicPartition, Long> ends = consumer.endOffsets(Set.copyOf(partitions));
        while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.getOrDefault(p, 0L))) {
            for (ConsumerRecord<String, byte[]> record : consumer.poll(Duration.ofMillis(100))) {
                long size = record.serializedKeySize() + Math.max(0, record.serializedValueSize());
                largest.merge(record.topic(), size, Math::max);
            }
        }
        return largest;
    }

    @Override
    public void close() {
        consumer.close();
    }
}
