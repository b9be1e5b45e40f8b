package dev.millrace.schemas.record;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.time.Instant;
import java.util.List;

/**
 * A record of {@code lock-requests}. All have the same key, since one state machine sees them all.
 * A repeat changes nothing.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = LockRequest.Acquire.class, name = "Acquire"),
    @JsonSubTypes.Type(value = LockRequest.Release.class, name = "Release")
})
public sealed interface LockRequest {
    /** The key of every request. */
    String KEY = "locks";

    LockHolder holder();

    /**
     * Wants all of these locks, together.
     *
     * @param locks names, {@code namespace/Mutex/name} or {@code namespace/ConfigMap/object/key}
     * @param priority of the workflow; higher ones go first
     * @param createdAt of the workflow; among equals the older one goes first
     */
    record Acquire(LockHolder holder, List<String> locks, int priority, Instant createdAt)
            implements LockRequest {
        public Acquire {
            locks = locks.stream().distinct().toList();
        }
    }

    /** Needs none of its locks any more, whether it has them or waits. */
    record Release(LockHolder holder) implements LockRequest {}
}
