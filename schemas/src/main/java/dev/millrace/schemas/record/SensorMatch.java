package dev.millrace.schemas.record;

import org.jspecify.annotations.Nullable;

/** A record of {@code sensor-matches}: an event that passed the filters of a dependency, for one trigger. Keyed by {@code namespace/sensor/trigger}. */
public record SensorMatch(
        String namespace,
        String sensor,
        String trigger,
        String dependency,
        long manifestVersion,
        EventRef event,
        @Nullable String replay) {}
