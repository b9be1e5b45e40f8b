package dev.millrace.log.serde;

import dev.millrace.schemas.Json;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serializer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;

/** Values as JSON, with the project's one mapper. Null stays null: a tombstone. */
public final class JsonSerde<T> implements Serde<T>, RecordDecoder<T> {

    private final ObjectReader reader;
    private final ObjectWriter writer;

    private JsonSerde(Class<T> type) {
        this.reader = Json.mapper().readerFor(type);
        this.writer = Json.mapper().writerFor(type);
    }

    public static <T> JsonSerde<T> of(Class<T> type) {
        return new JsonSerde<>(type);
    }

    /** The JSON of a value. */
    public byte[] encode(T value) {
        return writer.writeValueAsBytes(value);
    }

    /**
     * @param topic named in the error only
     * @throws UndecodableRecordException without a place
     */
    public T decode(String topic, byte[] bytes) {
        return decode(topic, -1, -1, bytes);
    }

    @Override
    public T decode(ConsumerRecord<String, byte[]> record) {
        return decode(record.topic(), record.partition(), record.offset(), record.value());
    }

    private T decode(String topic, int partition, long offset, byte[] bytes) {
        T value;
        try {
            value = reader.readValue(bytes);
        } catch (JacksonException e) {
            throw new UndecodableRecordException(
                    topic, partition, offset, e.getOriginalMessage(), e);
        }
        if (value == null) {
            throw new UndecodableRecordException(
                    topic, partition, offset, "the JSON is null", null);
        }
        return value;
    }

    @Override
    public Serializer<T> serializer() {
        return (topic, value) -> nullOrBytes(value);
    }

    @Override
    public Deserializer<T> deserializer() {
        return new JsonDeserializer();
    }

    @SuppressWarnings("NullAway") // Kafka's interface: a null value is a tombstone's null bytes
    private byte[] nullOrBytes(@Nullable T value) {
        return value == null ? null : encode(value);
    }

    private final class JsonDeserializer implements Deserializer<T> {
        @Override
        @SuppressWarnings("NullAway") // Kafka's interface: null bytes are a tombstone
        public T deserialize(String topic, byte[] bytes) {
            return bytes == null ? null : decode(topic, bytes);
        }
    }
}
