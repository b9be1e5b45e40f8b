package dev.millrace.log;

import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/** A producer's callback as a future. */
public final class Sending {

    private Sending() {}

    /**
     * Completes on the producer's network thread when the log has the record: hand longer work over
     * ({@code thenAcceptAsync}).
     */
    public static CompletableFuture<RecordMetadata> send(
            Producer<String, byte[]> producer, ProducerRecord<String, byte[]> record) {
        CompletableFuture<RecordMetadata> sent = new CompletableFuture<>();
        producer.send(
                record,
                (metadata, e) -> {
                    if (e == null) {
                        sent.complete(metadata);
                    } else {
                        sent.completeExceptionally(e);
                    }
                });
        return sent;
    }
}
