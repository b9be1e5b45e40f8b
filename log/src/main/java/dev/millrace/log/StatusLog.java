package dev.millrace.log;

import dev.millrace.log.serde.JsonSerde;
import dev.millrace.schemas.record.StatusRecord;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/** Writes how sources, sensors and the like are doing to {@code status}. */
public final class StatusLog {

    private static final JsonSerde<StatusRecord> SERDE = JsonSerde.of(StatusRecord.class);

    private final Producer<String, byte[]> producer;

    public StatusLog(Producer<String, byte[]> producer) {
        this.producer = producer;
    }

    /** Replaces the status of an object. */
    public CompletableFuture<RecordMetadata> put(StatusRecord status) {
        return Sending.send(
                producer,
                new ProducerRecord<>(
                        Topics.STATUS,
                        key(status.kind(), status.namespace(), status.name()),
                        SERDE.encode(status)));
    }

    /** Removes the status of an object that is gone. */
    @SuppressWarnings("NullAway") // a tombstone
    public CompletableFuture<RecordMetadata> delete(String kind, String namespace, String name) {
        return Sending.send(
                producer, new ProducerRecord<>(Topics.STATUS, key(kind, namespace, name), null));
    }

    private static String key(String kind, String namespace, String name) {
        return kind + "/" + namespace + "/" + name;
    }
}
