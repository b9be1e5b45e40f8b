package dev.millrace.log.serde;

import dev.millrace.log.LogConnection;
import dev.millrace.log.Topics;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Producers with the settings of the log. */
public final class Producers {

    /** For how long a plain producer tries before a send fails. */
    public enum Patience {
        /**
         * 10 s: somebody waits for the acknowledgement (a webhook's sender) and shall hear 503
         * rather than nothing.
         */
        ANSWER(Duration.ofSeconds(10)),
        /** For ever (24 days): late is fine, skipped is not. */
        NEVER_GIVES_UP(Duration.ofMillis(Integer.MAX_VALUE));

        private final Duration deliveryTimeout;

        Patience(Duration deliveryTimeout) {
            this.deliveryTimeout = deliveryTimeout;
        }
    }

    /**
     * A broker accepts any first sequence number in a partition that it has just created
     * (KAFKA-15591). With several requests in flight the first one can be refused because the
     * partition is not there yet, the second one be taken, and the first one then be out of order
     * for ever: lost when the delivery times out, or never out of the way of a producer that does
     * not give up. Under load batches fill while a request is under way, so one at a time costs
     * little.
     */
    static final int REQUESTS_IN_FLIGHT = 1;

    private Producers() {}

    /** Idempotent, {@code acks=all}, no transaction. Safe for use by many threads. */
    public static Producer<String, byte[]> plain(
            LogConnection log, String clientId, Patience patience) {
        Map<String, Object> settings = common(log, clientId);
        settings.put(
                ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
                Math.toIntExact(patience.deliveryTimeout.toMillis()));
        // Must not exceed the delivery timeout; a lost answer is asked for again after this.
        settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 5_000);
        // How long send() itself may block for metadata or buffer space.
        settings.put(
                ProducerConfig.MAX_BLOCK_MS_CONFIG,
                switch (patience) {
                    case ANSWER -> patience.deliveryTimeout.toMillis();
                    case NEVER_GIVES_UP -> Long.MAX_VALUE;
                });
        return create(settings);
    }

    /**
     * Transactional; the caller calls {@code initTransactions()}, which fences and aborts at once
     * what a killed predecessor of the same id left open.
     *
     * @param transactionalId unique per owner of the work, and the same after a restart
     */
    public static Producer<String, byte[]> transactional(
            LogConnection log, String clientId, String transactionalId) {
        Map<String, Object> settings = common(log, clientId);
        settings.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId);
        // Readers wait behind an open transaction: 60 s, the default, would be a stand-still.
        settings.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, 10_000);
        settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 8_000);
        settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 5_000);
        return create(settings);
    }

    private static Map<String, Object> common(LogConnection log, String clientId) {
        Map<String, Object> settings = log.clientSettings();
        settings.put(ProducerConfig.CLIENT_ID_CONFIG, clientId);
        // No event that was acknowledged is lost, and a retried send is written once.
        settings.put(ProducerConfig.ACKS_CONFIG, "all");
        settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        settings.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, REQUESTS_IN_FLIGHT);
        // 5 ms by default: longer than the rest of a hop. Under load batches fill by themselves.
        settings.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        settings.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Topics.MAX_RECORD_BYTES);
        // Several records of the largest size; with the default of 32 MiB the second one waits.
        settings.put(ProducerConfig.BUFFER_MEMORY_CONFIG, 4L * Topics.MAX_RECORD_BYTES);
        return settings;
    }

    private static Producer<String, byte[]> create(Map<String, Object> settings) {
        return new KafkaProducer<>(settings, new StringSerializer(), new ByteArraySerializer());
    }
}
