package dev.millrace.schemas.sensor;

import org.jspecify.annotations.Nullable;

/**
 * At most so many actions a unit.
 *
 * @param unit {@code Second} (also when absent), {@code Minute} or {@code Hour}
 */
public record RateLimit(@Nullable String unit, @Nullable Integer requestsPerUnit) {}
