package dev.millrace.sensors.filter;

import dev.millrace.schemas.sensor.TimeFilter;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.ResolverStyle;
import org.jspecify.annotations.Nullable;

/** What a time filter says, read. */
public sealed interface TimeWindow {

    /**
     * A daily window.
     *
     * @param start inclusive
     * @param stop exclusive; before the start if the window goes over midnight
     */
    record Parsed(LocalTime start, LocalTime stop, ZoneId zone) implements TimeWindow {

        boolean holds(Instant instant) {
            LocalTime time = LocalTime.ofInstant(instant, zone);
            boolean started = !time.isBefore(start);
            boolean running = time.isBefore(stop);
            return start.isBefore(stop) ? started && running : started || running;
        }
    }

    /**
     * No window.
     *
     * @param field the member that is wrong
     */
    record Invalid(String field, String message) implements TimeWindow {}

    static TimeWindow of(TimeFilter filter) {
        LocalTime start = time(filter.start());
        if (start == null) {
            return new Invalid("start", noTime(filter.start()));
        }
        LocalTime stop = time(filter.stop());
        if (stop == null) {
            return new Invalid("stop", noTime(filter.stop()));
        }
        if (start.equals(stop)) {
            return new Invalid(
                    "stop",
                    "invalid event time filter: stop '%s' is equal to start '%s"
                            .formatted(filter.stop(), filter.start()));
        }
        String zone = filter.timezone();
        if (zone == null || zone.isEmpty()) {
            return new Parsed(start, stop, ZoneOffset.UTC);
        }
        try {
            return new Parsed(start, stop, ZoneId.of(zone));
        } catch (DateTimeException e) {
            return new Invalid(
                    "timezone",
                    "invalid timezone '%s': unknown time zone %s".formatted(zone, zone));
        }
    }

    private static String noTime(@Nullable String text) {
        return "parsing time \"%s\": it is not a time of day, HH:MM:SS"
                .formatted(text == null ? "" : text);
    }

    private static @Nullable LocalTime time(@Nullable String text) {
        if (text == null) {
            return null;
        }
        try {
            return LocalTime.parse(
                    text,
                    DateTimeFormatter.ofPattern("H:mm:ss").withResolverStyle(ResolverStyle.STRICT));
        } catch (DateTimeException e) {
            // The caller says what is wrong with it.
            return null;
        }
    }
}
