package dev.millrace.workflowengine.topology;

import dev.millrace.log.stream.EntryType;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * Lists the ids of entries without reading them: of a workflow with 100,000 nodes nobody wants to
 * decode all. Sees what earlier turns wrote, not the present one.
 */
final class EntryKeys {
    private final ReadOnlyKeyValueStore<String, byte[]> store;

    EntryKeys(ReadOnlyKeyValueStore<String, byte[]> store) {
        this.store = store;
    }

    /** Ids in order, at most so many. */
    List<String> ids(String entity, EntryType<?> type, int atMost) {
        // The form of keys in EntityStore.
        String prefix = entity + "\u0000" + type.name() + "/";
        List<String> ids = new ArrayList<>();
        try (KeyValueIterator<String, byte[]> entries =
                store.prefixScan(prefix, new StringSerializer())) {
            while (ids.size() < atMost && entries.hasNext()) {
                ids.add(entries.next().key.substring(prefix.length()));
            }
        }
        return ids;
    }

    /** Ids behind one in order, at most so many. */
    List<String> ids(String entity, EntryType<?> type, String after, int atMost) {
        String prefix = entity + "\u0000" + type.name() + "/";
        List<String> ids = new ArrayList<>();
        // '0' follows '/', so this is the end of the prefix.
        try (KeyValueIterator<String, byte[]> entries =
                store.range(prefix + after, entity + "\u0000" + type.name() + "0")) {
            while (ids.size() < atMost && entries.hasNext()) {
                String id = entries.next().key.substring(prefix.length());
                if (id.compareTo(after) > 0) {
                    ids.add(id);
                }
            }
        }
        return ids;
    }
}
