package dev.millrace.schemas.record;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.millrace.schemas.workflow.Outputs;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A record of {@code cache-requests}: what workflows want of memoization caches. Keyed by {@code
 * namespace/cacheName}, so that what a node saved is there for who asks later. Both bear a repeat.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = CacheRequest.Load.class, name = "Load"),
    @JsonSubTypes.Type(value = CacheRequest.Save.class, name = "Save")
})
public sealed interface CacheRequest {
    WorkflowRef workflow();

    String cacheName();

    String cacheKey();

    /** A node asks; the answer is a {@link WorkflowCommand.AnswerCache}. */
    record Load(WorkflowRef workflow, String nodeId, int run, String cacheName, String cacheKey)
            implements CacheRequest {}

    /** A node succeeded: keep its outputs. */
    record Save(
            WorkflowRef workflow,
            String nodeId,
            String cacheName,
            String cacheKey,
            @Nullable Outputs outputs,
            Instant at)
            implements CacheRequest {}
}
