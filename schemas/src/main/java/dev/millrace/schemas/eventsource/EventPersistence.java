package dev.millrace.schemas.eventsource;

import org.jspecify.annotations.Nullable;

/** Where a calendar remembers its last tick, and whether it makes up for missed ones. */
public record EventPersistence(
        @Nullable Catchup catchup, @Nullable PersistenceConfigMap configMap) {
    /**
     * Ticks missed while down.
     *
     * @param maxDuration how far back at most, a Go duration
     */
    public record Catchup(@Nullable Boolean enabled, @Nullable String maxDuration) {}

    /** The ConfigMap that keeps the last tick. */
    public record PersistenceConfigMap(@Nullable String name, @Nullable Boolean createIfNotExist) {}
}
