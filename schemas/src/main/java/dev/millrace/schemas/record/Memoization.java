package dev.millrace.schemas.record;

import org.jspecify.annotations.Nullable;

/**
 * What a cache said about a node whose template is memoized.
 *
 * @param hit whether the outputs came from the cache; absent while it has not answered
 */
public record Memoization(@Nullable Boolean hit, String key, String cacheName) {

    /** Whether the cache was asked and has not answered. */
    public boolean waiting() {
        return hit == null;
    }
}
