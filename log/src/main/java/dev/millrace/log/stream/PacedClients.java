package dev.millrace.log.stream;

import dev.millrace.log.serde.PromptConsumer;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaClientSupplier;

/**
 * The clients of a Streams application, as it would make them, but for the pace of its main
 * consumers.
 */
record PacedClients(Pace pace) implements KafkaClientSupplier {

    @Override
    public Admin getAdmin(Map<String, Object> config) {
        return Admin.create(config);
    }

    @Override
    public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
        return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    @Override
    public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
        return new PacedConsumer(config, pace);
    }

    @Override
    public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
        return consumer(config);
    }

    @Override
    public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
        return consumer(config);
    }

    private static Consumer<byte[], byte[]> consumer(Map<String, Object> config) {
        return new PromptConsumer<>(
                config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    private static final class PacedConsumer extends PromptConsumer<byte[], byte[]> {

        private final Pace pace;

        PacedConsumer(Map<String, Object> config, Pace pace) {
            super(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
            this.pace = pace;
        }

        @Override
        public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
            ConsumerRecords<byte[], byte[]> records = super.poll(pace.pause(timeout));
            if (!records.isEmpty()) {
                pace.received(records.count());
            }
            return records;
        }
    }
}
