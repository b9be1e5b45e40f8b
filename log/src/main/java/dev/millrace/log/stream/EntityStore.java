package dev.millrace.log.stream;

import dev.millrace.log.Topics;
import dev.millrace.log.serde.StreamsSettings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;
import org.jspecify.annotations.Nullable;

/**
 * The state of entities in one key-value store: typed entries whose keys begin with the entity's,
 * so that all of one workflow lie next to each other. Changes stay here until {@link #flush()}: a
 * core that throws half-way has changed nothing. Used by one stream thread.
 */
public final class EntityStore {

    /** Ends the entity in a key. It sorts before all text, so no entity lies inside another. */
    static final String END = "\u0000";

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Change(@Nullable Object value, byte @Nullable [] bytes) {}

    private final KeyValueStore<String, byte[]> store;
    private final Map<String, Change> changes = new LinkedHashMap<>();
    private final Map<String, Object> decoded;

    /**
     * @param decodedEntries how many values are kept decoded; reading JSON costs more than all else
     */
    public EntityStore(KeyValueStore<String, byte[]> store, int decodedEntries) {
        this.store = store;
        this.decoded = new Recent(decodedEntries);
    }

    /** Where the state lies while the process runs; the changelog has it in any case. */
    public enum Medium {
        /** On disk: more state than memory, and a restart restores only what is new. */
        ROCKSDB,
        /** In memory: faster, and restored whole from the changelog at each start. */
        MEMORY
    }

    /** The store to add to a topology. */
    public static StoreBuilder<KeyValueStore<String, byte[]>> builder(String name, Medium medium) {
        return Stores.keyValueStoreBuilder(
                        switch (medium) {
                            case ROCKSDB -> Stores.persistentKeyValueStore(name);
                            case MEMORY -> Stores.inMemoryKeyValueStore(name);
                        },
                        Serdes.String(),
                        Serdes.ByteArray())
                .withCachingEnabled()
                .withLoggingEnabled(StreamsSettings.changelog());
    }

    /** The entry, as it stands in this turn. */
    public <T> Optional<T> get(String entity, EntryType<T> type, String id) {
        return Optional.ofNullable(read(key(entity, type, id), type));
    }

    /** Sets an entry. The value must not be changed afterwards. */
    public <T> void put(String entity, EntryType<T> type, String id, T value) {
        write(key(entity, type, id), type, value);
    }

    public void delete(String entity, EntryType<?> type, String id) {
        remove(key(entity, type, id));
    }

    /** All entries of a type, by id. */
    public <T> SortedMap<String, T> scan(String entity, EntryType<T> type) {
        String prefix = key(entity, type, "");
        SortedMap<String, T> found = new TreeMap<>();
        for (String key : keys(prefix, Integer.MAX_VALUE)) {
            T value = read(key, type);
            if (value != null) {
                found.put(key.substring(prefix.length()), value);
            }
        }
        return found;
    }

    /**
     * Deletes entries of an entity, of all types, at most so many.
     *
     * @return whether nothing is left
     */
    public boolean deleteSome(String entity, int atMost) {
        List<String> keys = keys(entity + END, atMost);
        keys.forEach(this::remove);
        return keys.size() < atMost;
    }

    /** Writes the changes of this turn. */
    public void flush() {
        changes.forEach(
                (key, change) -> {
                    if (change.bytes() == null) {
                        store.delete(key);
                        decoded.remove(key);
                    } else {
                        store.put(key, change.bytes());
                    }
                    if (change.value() != null) {
                        decoded.put(key, change.value());
                    }
                });
        changes.clear();
    }

    /** Forgets the changes of this turn. */
    public void discard() {
        changes.clear();
    }

    /** Keys as they stand in this turn, in order. */
    private List<String> keys(String prefix, int atMost) {
        TreeMap<String, Boolean> keys = new TreeMap<>();
        changes.forEach(
                (key, change) -> {
                    if (key.startsWith(prefix)) {
                        keys.put(key, change.bytes() != null);
                    }
                });
        // Those deleted in this turn are still in the store, so that many more have to be looked
        // at.
        int looked = 0;
        long limit = (long) atMost + keys.size();
        try (KeyValueIterator<String, byte[]> stored =
                store.prefixScan(prefix, new StringSerializer())) {
            while (stored.hasNext() && looked++ < limit) {
                keys.putIfAbsent(stored.next().key, true);
            }
        }
        return keys.entrySet().stream()
                .filter(Map.Entry::getValue)
                .map(Map.Entry::getKey)
                .limit(atMost)
                .toList();
    }

    /** The value at a key of any form, or null. */
    @SuppressWarnings("unchecked") // a key holds its type's name, so it holds one type of value
    <T> @Nullable T read(String key, EntryType<T> type) {
        Change change = changes.get(key);
        if (change != null) {
            return (T) change.value();
        }
        Object known = decoded.get(key);
        if (known != null) {
            return (T) known;
        }
        byte[] bytes = store.get(key);
        if (bytes == null) {
            return null;
        }
        T value = type.serde().decode(store.name(), bytes);
        decoded.put(key, value);
        return value;
    }

    <T> void write(String key, EntryType<T> type, T value) {
        // Encoded now: a value that cannot be, or is too large, is an error of the core that put
        // it.
        byte[] bytes = type.serde().encode(value);
        if (bytes.length > Topics.LARGEST_VALUE) {
            throw new IllegalArgumentException(
                    "an entry of type %s has %d bytes; at most %d are possible"
                            .formatted(type.name(), bytes.length, Topics.LARGEST_VALUE));
        }
        changes.put(key, new Change(value, bytes));
    }

    void remove(String key) {
        changes.put(key, new Change(null, null));
    }

    /** Stored values in a range of keys, both ends included; only between turns. */
    <T> List<KeyValue<String, T>> range(String from, String to, EntryType<T> type, int atMost) {
        if (!changes.isEmpty()) {
            throw new IllegalStateException("a range is read between turns only");
        }
        List<KeyValue<String, T>> found = new ArrayList<>();
        try (KeyValueIterator<String, byte[]> stored = store.range(from, to)) {
            while (found.size() < atMost && stored.hasNext()) {
                KeyValue<String, byte[]> next = stored.next();
                found.add(KeyValue.pair(next.key, type.serde().decode(store.name(), next.value)));
            }
        }
        return found;
    }

    private static String key(String entity, EntryType<?> type, String id) {
        return entity + END + type.name() + "/" + id;
    }

    /** The values used last. */
    private static final class Recent extends LinkedHashMap<String, Object> {
        private static final long serialVersionUID = 1L;
        private final int atMost;

        Recent(int atMost) {
            super(16, 0.75f, true);
            this.atMost = atMost;
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Object> eldest) {
            return size() > atMost;
        }
    }
}
