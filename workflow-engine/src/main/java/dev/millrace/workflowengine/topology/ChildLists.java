package dev.millrace.workflowengine.topology;

import dev.millrace.log.stream.EntityStore;
import dev.millrace.log.stream.EntryType;
import java.util.ArrayList;
import java.util.List;

/**
 * Lists of children that grow at their end: kept in chunks, so that a node with 100,000 children
 * rewrites 256 ids for the next one and not all of them.
 */
final class ChildLists {
    static final int CHUNK = 256;

    /**
     * Ids of children.
     *
     * @param more number of chunks after this one; set in the first chunk only
     */
    record Chunk(List<String> ids, int more) {
        Chunk {
            ids = ids == null ? List.of() : List.copyOf(ids);
        }
    }

    static final EntryType<Chunk> CHILDREN = EntryType.of("children", Chunk.class);

    private ChildLists() {}

    static List<String> read(EntityStore store, String entity, String parent) {
        Chunk first = store.get(entity, CHILDREN, id(parent, 0)).orElse(null);
        if (first == null) {
            return List.of();
        }
        if (first.more() == 0) {
            return first.ids();
        }
        List<String> all = new ArrayList<>(first.ids());
        for (int i = 1; i <= first.more(); i++) {
            all.addAll(chunk(store, entity, parent, i).ids());
        }
        return all;
    }

    static int count(EntityStore store, String entity, String parent) {
        Chunk first = store.get(entity, CHILDREN, id(parent, 0)).orElse(null);
        if (first == null) {
            return 0;
        }
        return first.more() == 0
                ? first.ids().size()
                : first.more() * CHUNK + chunk(store, entity, parent, first.more()).ids().size();
    }

    /** The children from an index on, at most so many; all chunks but the last are full. */
    static List<String> page(
            EntityStore store, String entity, String parent, int from, int atMost) {
        Chunk first = store.get(entity, CHILDREN, id(parent, 0)).orElse(null);
        List<String> page = new ArrayList<>();
        if (first == null) {
            return page;
        }
        for (int i = from / CHUNK; i <= first.more() && page.size() < atMost; i++) {
            List<String> ids = i == 0 ? first.ids() : chunk(store, entity, parent, i).ids();
            int start = Math.min(ids.size(), Math.max(0, from - i * CHUNK));
            int end = Math.min(ids.size(), start + atMost - page.size());
            page.addAll(ids.subList(start, end));
        }
        return page;
    }

    static void append(EntityStore store, String entity, String parent, List<String> added) {
        Chunk first = store.get(entity, CHILDREN, id(parent, 0)).orElse(new Chunk(List.of(), 0));
        int last = first.more();
        List<String> ids =
                new ArrayList<>(last == 0 ? first.ids() : chunk(store, entity, parent, last).ids());
        int next = 0;
        while (next < added.size()) {
            if (ids.size() >= CHUNK) {
                last++;
                ids.clear();
            }
            int end = Math.min(added.size(), next + CHUNK - ids.size());
            ids.addAll(added.subList(next, end));
            next = end;
            if (last == 0) {
                first = new Chunk(ids, 0);
            } else {
                store.put(entity, CHILDREN, id(parent, last), new Chunk(ids, 0));
            }
        }
        if (last == 0 || last != first.more()) {
            store.put(entity, CHILDREN, id(parent, 0), new Chunk(first.ids(), last));
        }
    }

    static void clear(EntityStore store, String entity, String parent) {
        Chunk first = store.get(entity, CHILDREN, id(parent, 0)).orElse(null);
        if (first == null) {
            return;
        }
        for (int i = 0; i <= first.more(); i++) {
            store.delete(entity, CHILDREN, id(parent, i));
        }
    }

    private static Chunk chunk(EntityStore store, String entity, String parent, int index) {
        return store.get(entity, CHILDREN, id(parent, index))
                .orElseThrow(
                        () ->
                                new IllegalStateException(
                                        "chunk %d of the children of %s is missing"
                                                .formatted(index, parent)));
    }

    /** Padded, so that the chunks of a node lie in order. */
    private static String id(String parent, int index) {
        return parent + "/" + "%06d".formatted(index);
    }
}
