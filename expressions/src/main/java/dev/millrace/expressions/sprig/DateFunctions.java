package dev.millrace.expressions.sprig;

import dev.millrace.expressions.duration.DurationSyntaxException;
import dev.millrace.expressions.duration.GoDuration;
import dev.millrace.expressions.expr.value.GoInteger;
import dev.millrace.expressions.expr.value.GoLayout;
import dev.millrace.expressions.expr.value.GoPanic;
import dev.millrace.expressions.expr.value.GoType;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Dates and durations. Where Sprig uses the zone of the machine, this is UTC, as it is in the
 * containers of the field.
 */
final class DateFunctions {

    private static final long[] UNIT_SECONDS = {
        365L * 24 * 3600, 30L * 24 * 3600, 24L * 3600, 3600, 60, 1
    };
    private static final String[] UNITS = {"y", "mo", "d", "h", "m", "s"};
    private static final ZonedDateTime ZERO =
            LocalDateTime.of(1, 1, 1, 0, 0).atZone(ZoneOffset.UTC);

    private DateFunctions() {}

    static void addTo(Map<String, SprigFunction> table, InstantSource clock) {
        table.put("now", a -> now(clock));
        table.put(
                "ago",
                a -> {
                    Instant then = time(a.get(0), clock).toInstant();
                    long seconds =
                            Math.round(Duration.between(then, clock.instant()).toNanos() / 1e9);
                    return GoDuration.format(Duration.ofSeconds(seconds));
                });
        table.put("date", a -> format(a.text(0), time(a.get(1), clock), ZoneOffset.UTC));
        table.put("htmlDate", a -> format("2006-01-02", time(a.get(0), clock), ZoneOffset.UTC));
        table.put(
                "htmlDateInZone",
                a -> format("2006-01-02", time(a.get(0), clock), zone(a.text(1))));
        both(
                table,
                "dateInZone",
                "date_in_zone",
                a -> format(a.text(0), time(a.get(1), clock), zone(a.text(2))));
        both(
                table,
                "dateModify",
                "date_modify",
                a -> {
                    Duration change = duration(a.text(0));
                    return change == null
                            ? time(a.get(1), clock)
                            : time(a.get(1), clock).plus(change);
                });
        both(
                table,
                "mustDateModify",
                "must_date_modify",
                a -> {
                    Duration change = duration(a.text(0));
                    if (change == null) {
                        throw new GoPanic("time: invalid duration \"" + a.text(0) + "\"");
                    }
                    return time(a.get(1), clock).plus(change);
                });
        table.put(
                "toDate",
                a -> {
                    try {
                        return GoLayout.of(a.text(0)).parse(a.text(1), ZoneOffset.UTC);
                    } catch (GoPanic e) {
                        // Sprig gives the zero time for a text that does not fit; mustToDate says
                        // why.
                        return ZERO;
                    }
                });
        table.put("mustToDate", a -> GoLayout.of(a.text(0)).parse(a.text(1), ZoneOffset.UTC));
        table.put("unixEpoch", a -> Long.toString(time(a.get(0), clock).toEpochSecond()));
        table.put(
                "duration",
                a -> {
                    Object value = a.get(0);
                    boolean known =
                            value instanceof String
                                    || value
                                            instanceof
                                            GoInteger(String type, long number, String name);
                    return GoDuration.format(
                            Duration.ofSeconds(known ? NumberFunctions.toLong(value) : 0));
                });
        table.put("durationRound", a -> rounded(span(a.get(0), clock)));
    }

    private static void both(
            Map<String, SprigFunction> table, String name, String old, SprigFunction body) {
        table.put(name, body);
        table.put(old, body);
    }

    private static ZonedDateTime now(InstantSource clock) {
        return clock.instant().atZone(ZoneOffset.UTC);
    }

    /** A time, or seconds since 1970; anything else means now. */
    private static ZonedDateTime time(@Nullable Object value, InstantSource clock) {
        if (value instanceof ZonedDateTime time) {
            return time;
        }
        return value != null && GoType.isInteger(value)
                ? Instant.ofEpochSecond(GoType.toLong(value)).atZone(ZoneOffset.UTC)
                : now(clock);
    }

    private static String format(String layout, ZonedDateTime time, ZoneId zone) {
        return GoLayout.of(layout).format(time.withZoneSameInstant(zone));
    }

    private static ZoneId zone(String name) {
        try {
            return name.isEmpty() || name.equals("Local") ? ZoneOffset.UTC : ZoneId.of(name);
        } catch (DateTimeException e) {
            // Sprig falls back to UTC for a zone that it does not know.
            return ZoneOffset.UTC;
        }
    }

    private static @Nullable Duration duration(String text) {
        try {
            return GoDuration.parse(text);
        } catch (DurationSyntaxException e) {
            return null;
        }
    }

    private static Duration span(@Nullable Object value, InstantSource clock) {
        return switch (value) {
            case String text -> {
                Duration duration = duration(text);
                yield duration == null ? Duration.ZERO : duration;
            }
            case GoInteger number -> Duration.ofNanos(number.value());
            case ZonedDateTime time -> Duration.between(time.toInstant(), clock.instant());
            case null, default -> Duration.ZERO;
        };
    }

    /** The whole number of the largest unit that fits. */
    private static String rounded(Duration span) {
        long seconds = Math.abs(span.toNanos()) / 1_000_000_000;
        String sign = span.isNegative() ? "-" : "";
        for (int i = 0; i < UNITS.length; i++) {
            long count = seconds / UNIT_SECONDS[i];
            if (count > 0) {
                return sign + count + UNITS[i];
            }
        }
        return "0s";
    }
}
