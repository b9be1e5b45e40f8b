package dev.millrace.log.plain;

import dev.millrace.log.Health;
import dev.millrace.log.LogConnection;
import dev.millrace.log.LogRecord;
import dev.millrace.log.ManifestKey;
import dev.millrace.log.Sending;
import dev.millrace.log.Topics;
import dev.millrace.log.serde.JsonSerde;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * The manifests that stand now, as a cache that follows {@code manifests}, and the way to change
 * them. The topic has one partition: the offset of a manifest's record is its version, and versions
 * of different manifests can be compared.
 */
public final class ManifestLog implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ManifestLog.class);
    private static final JsonSerde<JsonNode> SERDE = JsonSerde.of(JsonNode.class);

    /**
     * A manifest as it was put.
     *
     * @param version offset of its record
     */
    public record Stored(ManifestKey key, JsonNode manifest, long version) {}

    /** Hears of changes, in order, on the reader's thread: it hands longer work over. */
    public interface Listener {

        /** A manifest is new or changed. */
        void changed(Stored manifest);

        /** A manifest is gone; the version is that of the deletion. */
        void deleted(ManifestKey key, long version);
    }

    private final Producer<String, byte[]> producer;
    private final TailReader<JsonNode> reader;
    private final ConcurrentSkipListMap<String, Stored> current = new ConcurrentSkipListMap<>();
    private final List<Listener> listeners = new ArrayList<>();
    private final Object changes = new Object();

    private ManifestLog(LogConnection log, Producer<String, byte[]> producer) {
        this.producer = producer;
        this.reader =
                TailReader.start(
                        log,
                        "manifests",
                        Topics.MANIFESTS,
                        Positions.START,
                        SERDE,
                        (records, _) -> records.forEach(this::apply));
    }

    /**
     * Starts to follow the topic.
     *
     * @param producer plain; not closed by this
     */
    public static ManifestLog start(LogConnection log, Producer<String, byte[]> producer) {
        return new ManifestLog(log, producer);
    }

    /** Puts a manifest; its version, once the log has it. The cache has it a moment later. */
    public CompletableFuture<Long> put(ManifestKey key, JsonNode manifest) {
        return append(key, SERDE.encode(manifest));
    }

    /** Deletes a manifest; the version of the deletion, once the log has it. */
    public CompletableFuture<Long> delete(ManifestKey key) {
        return append(key, null);
    }

    /** Completes once the cache holds that version. */
    public CompletableFuture<@Nullable Void> seen(long version) {
        return reader.seen(0, version);
    }

    /** Completes once the cache holds all that was there at the start. */
    public CompletableFuture<@Nullable Void> caughtUp() {
        return reader.caughtUp();
    }

    /** How the reader is doing. */
    public Health health() {
        return reader.health();
    }

    /** Everything below this version is in the cache. */
    public long nextVersion() {
        return reader.positions().next(0);
    }

    public Optional<Stored> find(ManifestKey key) {
        return Optional.ofNullable(current.get(key.toString()));
    }

    /** All of a kind, by namespace and name. */
    public List<Stored> list(String kind) {
        return prefixed(kind + "/");
    }

    /** All of a kind in a namespace, by name. */
    public List<Stored> list(String kind, String namespace) {
        return prefixed(kind + "/" + namespace + "/");
    }

    /** Everything, by kind, namespace and name. */
    public List<Stored> all() {
        return List.copyOf(current.values());
    }

    /** Tells the listener of all that stands now, then of every change, without a gap or repeat. */
    public void subscribe(Listener listener) {
        synchronized (changes) {
            current.values().forEach(listener::changed);
            listeners.add(listener);
        }
    }

    public void unsubscribe(Listener listener) {
        synchronized (changes) {
            listeners.remove(listener);
        }
    }

    @Override
    public void close() {
        reader.close();
    }

    @SuppressWarnings("NullAway") // null is a tombstone
    private CompletableFuture<Long> append(ManifestKey key, byte @Nullable [] value) {
        return Sending.send(producer, new ProducerRecord<>(Topics.MANIFESTS, key.toString(), value))
                .thenApply(RecordMetadata::offset);
    }

    private List<Stored> prefixed(String prefix) {
        return List.copyOf(current.subMap(prefix, prefix + Character.MAX_VALUE).values());
    }

    private void apply(LogRecord<JsonNode> record) {
        ManifestKey key;
        try {
            key = ManifestKey.parse(String.valueOf(record.key()));
        } catch (IllegalArgumentException e) {
            LOG.error("{} is skipped: {}", record.place(), e.getMessage());
            return;
        }
        synchronized (changes) {
            JsonNode manifest = record.value();
            if (manifest == null) {
                current.remove(key.toString());
                tell(l -> l.deleted(key, record.offset()));
            } else {
                Stored stored = new Stored(key, manifest, record.offset());
                current.put(key.toString(), stored);
                tell(l -> l.changed(stored));
            }
        }
    }

    /** A listener that throws has a bug; the others and the cache go on. */
    private void tell(java.util.function.Consumer<Listener> news) {
        for (Listener listener : listeners) {
            try {
                news.accept(listener);
            } catch (RuntimeException e) {
                LOG.error("a listener of manifests failed", e);
            }
        }
    }
}
