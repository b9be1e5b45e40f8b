package dev.millrace.schemas.eventsource;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An entry of type {@code calendar}: a schedule or an interval.
 *
 * @param interval a Go duration
 * @param schedule five cron fields; wins over the interval
 */
public record CalendarSource(
        @Nullable String schedule,
        @Nullable String interval,
        List<String> exclusionDates,
        @Nullable String timezone,
        Map<String, String> metadata,
        @Nullable EventPersistence persistence,
        @Nullable EventSourceFilter filter) {
    public CalendarSource {
        exclusionDates = exclusionDates == null ? List.of() : exclusionDates;
        metadata = metadata == null ? Map.of() : metadata;
    }
}
