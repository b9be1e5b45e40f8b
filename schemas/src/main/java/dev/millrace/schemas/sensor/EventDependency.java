package dev.millrace.schemas.sensor;

import org.jspecify.annotations.Nullable;

/**
 * An event that triggers can wait for.
 *
 * @param filtersLogicalOperator {@code and} (also when absent) or {@code or}
 */
public record EventDependency(
        String name,
        String eventSourceName,
        String eventName,
        @Nullable DependencyFilters filters,
        @Nullable Transformer transform,
        @Nullable String filtersLogicalOperator) {}
