package dev.millrace.eventsources;

import dev.millrace.log.Sending;
import dev.millrace.log.Topics;
import dev.millrace.log.embedded.DiskSpace;
import dev.millrace.schemas.eventsource.EventSourceType;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.jspecify.annotations.Nullable;

/** Puts events of push sources into the log. Any number of threads may publish at once. */
public final class EventPublisher {

    /**
     * The most bytes of data that an event may have. Sensors pass it on as a JSON text within an
     * activation, so that is how it is counted, and the trigger needs room beside it.
     */
    public static final int MAX_DATA_BYTES = Topics.MAX_RECORD_BYTES - 1024 * 1024;

    /** What became of an event. */
    public sealed interface Outcome {}

    /** The log has it. */
    public record Published() implements Outcome {}

    /** The log does not take so much. */
    public record TooLarge(long bytes) implements Outcome {}

    /** The log could not be reached, or refused. */
    public record NotPublished(Throwable cause) implements Outcome {}

    private final Producer<String, byte[]> producer;
    private final @Nullable DiskSpace disk;
    private final InstantSource clock;
    private final Supplier<UUID> ids;

    /**
     * @param producer plain, one that gives up in time for the sender's answer
     * @param disk the disk of an embedded broker, null if the log is elsewhere
     */
    public EventPublisher(
            Producer<String, byte[]> producer,
            @Nullable DiskSpace disk,
            InstantSource clock,
            Supplier<UUID> ids) {
        this.producer = producer;
        this.disk = disk;
        this.clock = clock;
        this.ids = ids;
    }

    /** Why nothing new may be accepted, and the cure. */
    public Optional<String> noRoom() {
        return disk == null ? Optional.empty() : disk.shortage();
    }

    /**
     * Size of a text as JSON text in UTF-8, where quotes, backslashes and line ends are escaped.
     */
    public static long carriedBytes(String data) {
        long bytes = 0;
        for (int i = 0; i < data.length(); i++) {
            char c = data.charAt(i);
            if (c == '"' || c == '\\' || c == '\n' || c == '\r' || c == '\t' || c == '\b'
                    || c == '\f') {
                bytes += 2;
            } else if (c < 0x20) {
                bytes += 6;
            } else if (c < 0x80) {
                bytes += 1;
            } else if (c < 0x800 || Character.isSurrogate(c)) {
                bytes += 2;
            } else {
                bytes += 3;
            }
        }
        return bytes;
    }

    /**
     * Publishes with a random id, and returns when the log has the event or the producer gave up.
     */
    public Outcome publish(EntryKey entry, EventSourceType type, String data) {
        long bytes = carriedBytes(data);
        if (bytes > MAX_DATA_BYTES) {
            return new TooLarge(bytes);
        }
        String id = ids.get().toString().replace("-", "");
        SourceEvent event = new SourceEvent(entry, type, id, clock.instant(), data, Map.of());
        try {
            Sending.send(producer, event.toRecord()).get();
            return new Published();
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            return cause instanceof RecordTooLargeException
                    ? new TooLarge(bytes)
                    : new NotPublished(cause);
        } catch (KafkaException | IllegalStateException e) {
            // A closed producer, no metadata in time.
            return new NotPublished(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new NotPublished(e);
        }
    }
}
