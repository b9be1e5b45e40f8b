package dev.millrace.log;

import static dev.millrace.log.TopicSpec.PartitionRule.INSTALLATION;
import static dev.millrace.log.TopicSpec.PartitionRule.ONE;

import dev.millrace.log.TopicSpec.PartitionRule;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.TopicConfig;

/** Every topic of an installation, as data. */
public final class Topics {

    public static final String PREFIX = "millrace.";

    public static final String MANIFESTS = PREFIX + "manifests";
    public static final String STATUS = PREFIX + "status";
    public static final String SOURCE_STATE = PREFIX + "source-state";
    public static final String EVENTS = PREFIX + "events";
    public static final String SENSOR_MATCHES = PREFIX + "sensor-matches";
    public static final String ACTIVATIONS = PREFIX + "activations";
    public static final String JOINED_ACTIVATIONS = PREFIX + "joined-activations";
    public static final String TRIGGER_RETRIES = PREFIX + "trigger-retries";
    public static final String DECISIONS = PREFIX + "decisions";
    public static final String WORKFLOW_COMMANDS = PREFIX + "workflow-commands";
    public static final String STEP_RESULTS = PREFIX + "step-results";
    public static final String STEPS = PREFIX + "steps";
    public static final String CACHE_REQUESTS = PREFIX + "cache-requests";
    public static final String LOCK_REQUESTS = PREFIX + "lock-requests";
    public static final String WORKFLOW_EVENTS = PREFIX + "workflow-events";
    public static final String WORKFLOW_METRICS = PREFIX + "workflow-metrics";
    public static final String CRON_INPUTS = PREFIX + "cron-inputs";
    public static final String CRON_ORDERS = PREFIX + "cron-orders";
    public static final String DEAD_LETTERS = PREFIX + "dead-letters";

    /**
     * The largest record, in bytes, everywhere: topics, changelogs, producers and fetches. A
     * webhook body of 1 MiB, the default limit, exceeds Kafka's own default of 1 MiB with its
     * envelope.
     */
    public static final int MAX_RECORD_BYTES = 16 * 1024 * 1024;

    /** What a value may have, so that key and headers have room beside it. */
    public static final int LARGEST_VALUE = MAX_RECORD_BYTES - 64 * 1024;

    private static final Duration WEEK = Duration.ofDays(7);
    private static final Duration MONTH = Duration.ofDays(30);

    /** How far back events can be replayed, whichever of the two ends first. */
    private static final long EVENTS_BYTES_PER_PARTITION = 1L << 30;

    private static final List<TopicSpec> ALL =
            List.of(
                    new TopicSpec(MANIFESTS, ONE, input(compacted())),
                    new TopicSpec(STATUS, INSTALLATION, compacted()),
                    new TopicSpec(SOURCE_STATE, INSTALLATION, compacted()),
                    new TopicSpec(EVENTS, INSTALLATION, input(events())),
                    spec(SENSOR_MATCHES, INSTALLATION, WEEK),
                    spec(ACTIVATIONS, INSTALLATION, MONTH),
                    spec(JOINED_ACTIVATIONS, INSTALLATION, MONTH),
                    spec(TRIGGER_RETRIES, INSTALLATION, WEEK),
                    spec(DECISIONS, INSTALLATION, WEEK),
                    spec(WORKFLOW_COMMANDS, INSTALLATION, WEEK),
                    spec(STEP_RESULTS, INSTALLATION, WEEK),
                    spec(STEPS, INSTALLATION, WEEK),
                    spec(CACHE_REQUESTS, INSTALLATION, WEEK),
                    spec(LOCK_REQUESTS, ONE, WEEK),
                    new TopicSpec(WORKFLOW_EVENTS, INSTALLATION, compacted()),
                    new TopicSpec(WORKFLOW_METRICS, ONE, compacted()),
                    spec(CRON_INPUTS, INSTALLATION, WEEK),
                    spec(CRON_ORDERS, INSTALLATION, WEEK),
                    new TopicSpec(DEAD_LETTERS, INSTALLATION, compacted()));

    private Topics() {}

    /** All topics, in the order in which they are created. */
    public static List<TopicSpec> all() {
        return ALL;
    }

    private static TopicSpec spec(String name, PartitionRule rule, Duration kept) {
        Map<String, String> config = common();
        config.put(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_DELETE);
        config.put(TopicConfig.RETENTION_MS_CONFIG, Long.toString(kept.toMillis()));
        return new TopicSpec(name, rule, input(config));
    }

    /**
     * The broker's append time is the time of an input: it grows along a partition, whatever the
     * clocks of the senders say, and stands in the log for a replay.
     */
    private static Map<String, String> input(Map<String, String> config) {
        config.put(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "LogAppendTime");
        return config;
    }

    private static Map<String, String> events() {
        Map<String, String> config = common();
        config.put(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_DELETE);
        config.put(TopicConfig.RETENTION_MS_CONFIG, Long.toString(WEEK.toMillis()));
        config.put(TopicConfig.RETENTION_BYTES_CONFIG, Long.toString(EVENTS_BYTES_PER_PARTITION));
        return config;
    }

    private static Map<String, String> compacted() {
        Map<String, String> config = common();
        config.put(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT);
        // A read model that was away for a week still learns of a deletion.
        config.put(TopicConfig.DELETE_RETENTION_MS_CONFIG, Long.toString(WEEK.toMillis()));
        // Every start reads these topics whole; the default lets half of them be garbage.
        config.put(TopicConfig.MIN_CLEANABLE_DIRTY_RATIO_CONFIG, "0.2");
        return config;
    }

    private static Map<String, String> common() {
        Map<String, String> config = new HashMap<>();
        config.put(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(MAX_RECORD_BYTES));
        // Neither compaction nor retention touches the newest segment: 1 GiB would be never.
        config.put(TopicConfig.SEGMENT_BYTES_CONFIG, Integer.toString(64 * 1024 * 1024));
        return config;
    }
}
