package dev.millrace.schemas.sensor;

import org.jspecify.annotations.Nullable;

/**
 * Where a parameter takes its value.
 *
 * @param value what to take when the event has nothing
 * @param useRawData keeps the JSON type; absent means false, everything becomes text
 */
public record TriggerParameterSource(
        String dependencyName,
        @Nullable String contextKey,
        @Nullable String contextTemplate,
        @Nullable String dataKey,
        @Nullable String dataTemplate,
        @Nullable String value,
        @Nullable Boolean useRawData) {}
