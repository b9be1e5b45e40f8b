package dev.millrace.workflowengine.topology;

import dev.millrace.schemas.record.WorkflowSource;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sources of workflows as trees, for those used last. Every decision reads the source, and it may
 * be large: the store keeps it as text, so that memory is bounded by the number here.
 */
final class RecentSources {
    private final LinkedHashMap<String, WorkflowSource> sources;

    RecentSources(int atMost) {
        sources =
                new LinkedHashMap<>(16, 0.75f, true) {
                    private static final long serialVersionUID = 1L;

                    @Override
                    protected boolean removeEldestEntry(Map.Entry<String, WorkflowSource> eldest) {
                        return size() > atMost;
                    }
                };
    }

    @Nullable WorkflowSource get(String entity, String uid) {
        return sources.get(key(entity, uid));
    }

    void put(String entity, String uid, WorkflowSource source) {
        sources.put(key(entity, uid), source);
    }

    void remove(String entity, String uid) {
        sources.remove(key(entity, uid));
    }

    private static String key(String entity, String uid) {
        return entity + "\u0000" + uid;
    }
}
