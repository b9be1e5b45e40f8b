package dev.millrace.log.serde;

import dev.millrace.log.LogConnection;
import dev.millrace.log.Topics;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** Consumers with the settings of the log; values stay bytes, so that a bad one fails alone. */
public final class Consumers {

    /**
     * How long a fetch waits at the broker for something to come, half a second by default. Longer
     * costs an idle server less, and makes a consumer's close wait longer.
     */
    static final int FETCH_WAIT_MILLIS = 1_000;

    private Consumers() {}

    /**
     * A member of a group. Commits by hand, and does not move by itself when its offset is gone:
     * {@code NoOffsetForPartitionException} and {@code OffsetOutOfRangeException} come out of poll.
     */
    public static Consumer<String, byte[]> group(
            LogConnection log, String groupId, int maxPollRecords) {
        Map<String, Object> settings = common(log, groupId);
        settings.put(ConsumerConfig.GROUP_ID_CONFIG, groupId);
        // The caller tells a new group from one whose offset is gone; Kafka would do the same to
        // both.
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        int session = Math.toIntExact(log.sessionTimeout().toMillis());
        settings.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, session);
        settings.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, session / 3);
        if (log.instance() != null) {
            settings.put(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, log.instance() + "-" + groupId);
        }
        // A rebalance takes only the partitions away that move.
        settings.put(
                ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
                CooperativeStickyAssignor.class.getName());
        settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, maxPollRecords);
        return create(settings);
    }

    /** A reader of partitions that it assigns to itself, from offsets that it keeps itself. */
    public static Consumer<String, byte[]> tail(LogConnection log, String clientId) {
        Map<String, Object> settings = common(log, clientId);
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 1_000);
        return create(settings);
    }

    private static Map<String, Object> common(LogConnection log, String clientId) {
        Map<String, Object> settings = log.clientSettings();
        settings.put(ConsumerConfig.CLIENT_ID_CONFIG, clientId);
        // What an aborted transaction wrote never happened.
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        settings.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, Topics.MAX_RECORD_BYTES);
        settings.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 30_000);
        settings.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, FETCH_WAIT_MILLIS);
        return settings;
    }

    private static Consumer<String, byte[]> create(Map<String, Object> settings) {
        return new PromptConsumer<>(
                settings, new StringDeserializer(), new ByteArrayDeserializer());
    }
}
