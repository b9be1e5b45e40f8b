package dev.millrace.log;

import java.time.Instant;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * A decoded record with its place in the log.
 *
 * @param time broker append time where the topic has it, else the writer's
 * @param value null is a tombstone
 */
public record LogRecord<V>(
        String topic,
        int partition,
        long offset,
        Instant time,
        @Nullable String key,
        @Nullable V value,
        Headers headers) {

    /** The value of a record that cannot be a tombstone. */
    public V requiredValue() {
        if (value == null) {
            throw new IllegalStateException(
                    "record %s-%d@%d is a tombstone".formatted(topic, partition, offset));
        }
        return value;
    }

    /** {@code topic-partition@offset}, as logs and dead letters name it. */
    public String place() {
        return topic + "-" + partition + "@" + offset;
    }
}
