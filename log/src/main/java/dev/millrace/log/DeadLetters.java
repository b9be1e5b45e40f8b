package dev.millrace.log;

import dev.millrace.log.serde.JsonSerde;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.DeadLetter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Writes what could not be processed to {@code dead-letters}. The origin is the key and the id, so
 * a repeat of the same failure replaces the first letter instead of adding one.
 */
public final class DeadLetters {

    private static final JsonSerde<DeadLetter> SERDE = JsonSerde.of(DeadLetter.class);

    private final Producer<String, byte[]> producer;
    private final UnaryOperator<String> redact;

    /**
     * @param producer one that never gives up
     * @param redact masks secrets in reasons
     */
    public DeadLetters(Producer<String, byte[]> producer, UnaryOperator<String> redact) {
        this.producer = producer;
        this.redact = redact;
    }

    /** Completes when the log has the letter; fails with the producer's exception. */
    public CompletableFuture<RecordMetadata> send(DeadLetter letter) {
        DeadLetter masked =
                new DeadLetter(
                        letter.id(),
                        letter.origin(),
                        letter.key(),
                        redact.apply(letter.reason()),
                        letter.value(),
                        letter.history().stream().map(redact).toList(),
                        letter.at());
        return Sending.send(
                producer,
                new ProducerRecord<>(Topics.DEAD_LETTERS, masked.origin(), encode(masked)));
    }

    /**
     * A letter as the log takes it. One that is too large leaves its value out: that still stands
     * where the letter's origin says.
     */
    public static byte[] encode(DeadLetter letter) {
        byte[] whole = SERDE.encode(letter);
        if (whole.length <= Topics.LARGEST_VALUE) {
            return whole;
        }
        return SERDE.encode(
                new DeadLetter(
                        letter.id(),
                        letter.origin(),
                        letter.key(),
                        letter.reason()
                                + " (with its value the letter has "
                                + whole.length
                                + " bytes; the value is left out)",
                        Json.mapper().nullNode(),
                        List.of(),
                        letter.at()));
    }

    /** A letter about a record. */
    public static DeadLetter of(
            String topic,
            int partition,
            long offset,
            @Nullable String key,
            byte @Nullable [] value,
            String reason,
            Instant at) {
        String origin = topic + "/" + partition + "/" + offset;
        return new DeadLetter(origin, origin, key, reason, content(value), List.of(), at);
    }

    /** The record that Kafka Streams writes about one that it could not read. */
    public static ProducerRecord<byte[], byte[]> undecodable(
            ConsumerRecord<byte[], byte[]> record, Exception exception) {
        String key = record.key() == null ? null : new String(record.key(), StandardCharsets.UTF_8);
        DeadLetter letter =
                of(
                        record.topic(),
                        record.partition(),
                        record.offset(),
                        key,
                        record.value(),
                        message(exception),
                        // The record's own time: a reader with no clock gives the same letter.
                        Instant.ofEpochMilli(record.timestamp()));
        return new ProducerRecord<>(
                Topics.DEAD_LETTERS,
                letter.origin().getBytes(StandardCharsets.UTF_8),
                encode(letter));
    }

    /**
     * The record that Kafka Streams writes about an output that is too large; without its value.
     */
    public static ProducerRecord<byte[], byte[]> oversized(
            @Nullable String topic,
            int partition,
            long offset,
            long timestamp,
            ProducerRecord<byte[], byte[]> output) {
        int size = output.value() == null ? 0 : output.value().length;
        DeadLetter letter =
                of(
                        topic == null ? "timer" : topic,
                        partition,
                        offset,
                        output.key() == null
                                ? null
                                : new String(output.key(), StandardCharsets.UTF_8),
                        null,
                        "its output to %s has %d bytes; at most %d are possible"
                                .formatted(output.topic(), size, Topics.MAX_RECORD_BYTES),
                        Instant.ofEpochMilli(Math.max(0, timestamp)));
        return new ProducerRecord<>(
                Topics.DEAD_LETTERS,
                letter.origin().getBytes(StandardCharsets.UTF_8),
                encode(letter));
    }

    /** A record's value as a letter keeps it: JSON where it is JSON, else base64 text. */
    public static JsonNode content(byte @Nullable [] value) {
        if (value == null) {
            return Json.mapper().nullNode();
        }
        try {
            JsonNode json = Json.mapper().readTree(value);
            return json.isMissingNode() ? base64(value) : json;
        } catch (JacksonException e) {
            // Not JSON: that may be the very reason for the letter.
            return base64(value);
        }
    }

    private static JsonNode base64(byte[] value) {
        return Json.mapper().getNodeFactory().stringNode(Base64.getEncoder().encodeToString(value));
    }

    private static String message(Exception e) {
        return e.getMessage() == null ? e.toString() : e.getMessage();
    }
}
