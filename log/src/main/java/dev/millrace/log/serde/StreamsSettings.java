package dev.millrace.log.serde;

import dev.millrace.log.LogConnection;
import dev.millrace.log.Topics;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.streams.StreamsConfig;

/** The settings of every Kafka Streams application, each with its reason. */
public final class StreamsSettings {

    private static final int COMMIT_INTERVAL_WHEN_ASKED_MILLIS = 500;

    private final Properties properties;

    private StreamsSettings(Properties properties) {
        this.properties = properties;
    }

    /**
     * For stages with state. A hop costs about 10 ms.
     *
     * @param stateDir where RocksDB stores and the process id live, of this application alone or
     *     shared; kept over restarts
     */
    public static StreamsSettings exactlyOnce(
            LogConnection log, String applicationId, Path stateDir) {
        Properties p = common(log, applicationId, stateDir);
        p.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        // Each commit is a transaction: 100 ms, the default, is what a hop would take; below 5 ms
        // only the CPU grows (3 to 5 ms of CPU a transaction).
        p.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 10);
        // An entry that changes in several turns of a transaction is written once, at its commit;
        // what does not fit is written before.
        p.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, 8 * 1024 * 1024);
        // A commit sends what lingers at once, so this adds to no hop. Without it each write to a
        // changelog wakes the sender for a request of its own: a third of all CPU under load.
        p.put(StreamsConfig.producerPrefix(ProducerConfig.LINGER_MS_CONFIG), 5);
        p.put(StreamsConfig.producerPrefix(ProducerConfig.BATCH_SIZE_CONFIG), 64 * 1024);
        // Readers wait behind the open transaction of a killed process, whose producer ids nobody
        // takes up again; so it must end soon. Longer than any transition plus a long pause.
        p.put(
                StreamsConfig.producerPrefix(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG),
                Math.toIntExact(log.sessionTimeout().toMillis() + 1_000));
        p.put(StreamsConfig.producerPrefix(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG), 3_000);
        p.put(
                StreamsConfig.producerPrefix(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG),
                Math.toIntExact(log.sessionTimeout().toMillis() + 500));
        return new StreamsSettings(p);
    }

    /** For stages without state whose repeats are recognised downstream. A hop costs 2 ms. */
    public static StreamsSettings atLeastOnce(
            LogConnection log, String applicationId, Path stateDir) {
        Properties p = common(log, applicationId, stateDir);
        p.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.AT_LEAST_ONCE);
        // Commits only bound how much is repeated after a crash.
        p.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 100);
        p.put(
                StreamsConfig.PRODUCTION_EXCEPTION_HANDLER_CLASS_CONFIG,
                OversizedToDeadLetters.class);
        // Never gives up: late, never skipped.
        p.put(
                StreamsConfig.producerPrefix(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG),
                Integer.MAX_VALUE);
        p.put(StreamsConfig.producerPrefix(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG), 5_000);
        return new StreamsSettings(p);
    }

    /**
     * For an application whose processors ask for commits, sooner or later as it fits the load;
     * Streams commits what none of them asked for.
     */
    public StreamsSettings commitsWhenAsked() {
        return with(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, COMMIT_INTERVAL_WHEN_ASKED_MILLIS);
    }

    /**
     * Whether processors are to ask for commits.
     *
     * @param settings of the application, as its processors see them
     */
    public static boolean commitsWhenAsked(Map<String, Object> settings) {
        return settings.get(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG) instanceof Number interval
                && interval.longValue() >= COMMIT_INTERVAL_WHEN_ASKED_MILLIS;
    }

    /** How many threads share the partitions; 1 unless said. */
    public StreamsSettings threads(int threads) {
        return with(StreamsConfig.NUM_STREAM_THREADS_CONFIG, threads);
    }

    /** How many copies the internal topics get; the broker's default (-1) unless said. */
    public StreamsSettings replicationFactor(int copies) {
        return with(StreamsConfig.REPLICATION_FACTOR_CONFIG, copies);
    }

    /**
     * Whether writes to RocksDB stay apart until their transaction commits, so that a kill does not
     * cost the whole store and its restore from the changelog.
     */
    public StreamsSettings transactionalStores(boolean on) {
        return with(StreamsConfig.TRANSACTIONAL_STATE_STORES_CONFIG, on);
    }

    /** Any other setting; for measurements and tests. */
    public StreamsSettings with(String name, Object value) {
        Properties changed = new Properties();
        changed.putAll(properties);
        changed.put(name, value);
        return new StreamsSettings(changed);
    }

    /** What {@code KafkaStreams} takes; a copy. */
    public Properties toProperties() {
        Properties copy = new Properties();
        copy.putAll(properties);
        return copy;
    }

    /** The settings of a store's changelog, for {@code withLoggingEnabled}. */
    public static Map<String, String> changelog() {
        return Map.of(
                TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
                Integer.toString(Topics.MAX_RECORD_BYTES),
                // A restore reads the changelog whole: let little of it be garbage.
                TopicConfig.SEGMENT_BYTES_CONFIG,
                Integer.toString(64 * 1024 * 1024),
                TopicConfig.MIN_CLEANABLE_DIRTY_RATIO_CONFIG,
                "0.2");
    }

    private static Properties common(LogConnection log, String applicationId, Path stateDir) {
        Properties p = new Properties();
        p.putAll(log.clientSettings());
        p.put(StreamsConfig.APPLICATION_ID_CONFIG, applicationId);
        p.put(StreamsConfig.STATE_DIR_CONFIG, stateDir.toString());
        p.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, 1);
        // Stages without transactions commit seldom: what they write should not wait for that.
        p.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, 0);
        // A name that Streams makes up changes with the topology, and the state under it is lost.
        p.put(StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG, true);
        p.put(
                StreamsConfig.DESERIALIZATION_EXCEPTION_HANDLER_CLASS_CONFIG,
                UndecodableToDeadLetters.class);
        // Phones home to the broker; nobody here listens.
        p.put(StreamsConfig.ENABLE_METRICS_PUSH_CONFIG, false);
        producer(p);
        consumer(p, log, applicationId);
        return p;
    }

    private static void producer(Properties p) {
        // Nothing but the end of the wait sends what stages without transactions write.
        p.put(StreamsConfig.producerPrefix(ProducerConfig.LINGER_MS_CONFIG), 0);
        p.put(
                StreamsConfig.producerPrefix(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION),
                Producers.REQUESTS_IN_FLIGHT);
        p.put(
                StreamsConfig.producerPrefix(ProducerConfig.MAX_REQUEST_SIZE_CONFIG),
                Topics.MAX_RECORD_BYTES);
        p.put(
                StreamsConfig.producerPrefix(ProducerConfig.BUFFER_MEMORY_CONFIG),
                4L * Topics.MAX_RECORD_BYTES);
    }

    private static void consumer(Properties p, LogConnection log, String applicationId) {
        int session = Math.toIntExact(log.sessionTimeout().toMillis());
        // A killed member keeps its tasks for the length of its session: 45 s by default.
        p.put(StreamsConfig.mainConsumerPrefix(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG), session);
        p.put(
                StreamsConfig.mainConsumerPrefix(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG),
                session / 3);
        if (log.instance() == null) {
            // Streams keeps its membership over a close, for rolling restarts with a long session;
            // with it the next start waits for the session of the last one.
            p.put(StreamsConfig.consumerPrefix("internal.leave.group.on.close"), true);
        } else {
            p.put(
                    StreamsConfig.mainConsumerPrefix(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG),
                    log.instance() + "-" + applicationId);
        }
        p.put(
                StreamsConfig.consumerPrefix(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG),
                Topics.MAX_RECORD_BYTES);
        p.put(StreamsConfig.consumerPrefix(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG), "earliest");
        p.put(
                StreamsConfig.consumerPrefix(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG),
                Consumers.FETCH_WAIT_MILLIS);
    }
}
