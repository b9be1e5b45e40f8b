package dev.millrace.workflowengine.topology;

import dev.millrace.schemas.record.WorkflowSource;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Sources of workflows as trees, for those used last. Every decision reads the source, and it may
 * be large: the store keeps it as text, so that memory is bounded by the numbers here.
 */
final class RecentSources {
    private record Known(WorkflowSource source, long size) {}

    private final LinkedHashMap<String, Known> sources = new LinkedHashMap<>(16, 0.75f, true);
    private final int atMost;
    private final long sizeAtMost;
    private long size;

    /**
     * @param atMost most sources that are kept
     * @param sizeAtMost most characters that they have in the store, all together; the last one is
     *     kept however large it is
     */
    RecentSources(int atMost, long sizeAtMost) {
        this.atMost = atMost;
        this.sizeAtMost = sizeAtMost;
    }

    @Nullable WorkflowSource get(String entity, String uid) {
        Known known = sources.get(key(entity, uid));
        return known == null ? null : known.source();
    }

    void put(String entity, String uid, WorkflowSource source, long sizeInStore) {
        remove(entity, uid);
        sources.put(key(entity, uid), new Known(source, sizeInStore));
        size += sizeInStore;
        while (sources.size() > atMost || (size > sizeAtMost && sources.size() > 1)) {
            size -= sources.pollFirstEntry().getValue().size();
        }
    }

    void remove(String entity, String uid) {
        Known known = sources.remove(key(entity, uid));
        size -= known == null ? 0 : known.size();
    }

    private static String key(String entity, String uid) {
        return entity + "\u0000" + uid;
    }
}
