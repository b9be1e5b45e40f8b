package dev.millrace.log.serde;

import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;

/**
 * Bytes in the log that are not what the topic promises. Reading them again gives the same, so this
 * is never retried: the record goes to the dead letters.
 */
public final class UndecodableRecordException extends SerializationException {

    private static final long serialVersionUID = 1L;

    private final String topic;
    private final int partition;
    private final long offset;

    /**
     * Without a place: a {@link org.apache.kafka.common.serialization.Deserializer} is not told it.
     */
    public UndecodableRecordException(String topic, String reason, @Nullable Throwable cause) {
        this(topic, -1, -1, reason, cause);
    }

    public UndecodableRecordException(
            String topic, int partition, long offset, String reason, @Nullable Throwable cause) {
        super(
                partition < 0
                        ? "a record of " + topic + " is not readable: " + reason
                        : "record %s-%d@%d is not readable: %s"
                                .formatted(topic, partition, offset, reason),
                cause);
        this.topic = topic;
        this.partition = partition;
        this.offset = offset;
    }

    public String topic() {
        return topic;
    }

    /** -1 when not known. */
    public int partition() {
        return partition;
    }

    /** -1 when not known. */
    public long offset() {
        return offset;
    }
}
