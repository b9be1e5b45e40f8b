package dev.millrace.log.serde;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.Deserializer;

/**
 * A consumer that closes without waiting for the fetch that is under way. The answers that a close
 * waits for say nothing that anybody needs: a leave of the group is sent before it waits, and
 * offsets are committed before.
 */
public class PromptConsumer<K, V> extends KafkaConsumer<K, V> {

    private static final Duration CLOSE = Duration.ofMillis(200);

    public PromptConsumer(
            Map<String, Object> settings, Deserializer<K> keys, Deserializer<V> values) {
        super(settings, keys, values);
    }

    @Override
    public void close() {
        super.close(CloseOptions.timeout(CLOSE));
    }

    @Override
    public void close(CloseOptions options) {
        super.close(options.withTimeout(CLOSE));
    }
}
