package dev.millrace.schemas.sensor;

import org.jspecify.annotations.Nullable;

/** Changes an event before it is filtered; {@code jq} wins over {@code script}. */
public record Transformer(@Nullable String jq, @Nullable String script) {}
