package dev.millrace.schemas.sensor;

import org.jspecify.annotations.Nullable;

/** When pending events are forgotten. */
public record ConditionsReset(@Nullable ByTime byTime) {
    /** At the ticks of a cron schedule of five fields. */
    public record ByTime(@Nullable String cron, @Nullable String timezone) {}
}
