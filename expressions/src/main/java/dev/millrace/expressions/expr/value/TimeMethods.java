package dev.millrace.expressions.expr.value;

import dev.millrace.expressions.duration.GoDuration;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.TextStyle;
import java.time.temporal.IsoFields;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The methods of {@code time.Time} and {@code time.Duration}. */
final class TimeMethods {

    private TimeMethods() {}

    static @Nullable GoFunction of(ZonedDateTime time, String name) {
        return switch (name) {
            case "Year" -> a -> (long) time.getYear();
            case "Month" ->
                    a ->
                            new GoInteger(
                                    "time.Month",
                                    time.getMonthValue(),
                                    time.getMonth().getDisplayName(TextStyle.FULL, Locale.ENGLISH));
            case "Day" -> a -> (long) time.getDayOfMonth();
            case "Hour" -> a -> (long) time.getHour();
            case "Minute" -> a -> (long) time.getMinute();
            case "Second" -> a -> (long) time.getSecond();
            case "Nanosecond" -> a -> (long) time.getNano();
            case "YearDay" -> a -> (long) time.getDayOfYear();
            case "Weekday" ->
                    a ->
                            new GoInteger(
                                    "time.Weekday",
                                    time.getDayOfWeek().getValue() % 7,
                                    time.getDayOfWeek()
                                            .getDisplayName(TextStyle.FULL, Locale.ENGLISH));
            case "ISOWeek" ->
                    a ->
                            List.of(
                                    (long) time.get(IsoFields.WEEK_BASED_YEAR),
                                    (long) time.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR));
            case "Unix" -> a -> GoInteger.int64(time.toEpochSecond());
            case "UnixMilli" -> a -> GoInteger.int64(time.toInstant().toEpochMilli());
            case "UnixMicro" ->
                    a -> GoInteger.int64(time.toEpochSecond() * 1_000_000 + time.getNano() / 1000);
            case "UnixNano" ->
                    a -> GoInteger.int64(time.toEpochSecond() * 1_000_000_000 + time.getNano());
            case "Format" -> a -> GoLayout.of(argument(a, String.class)).format(time);
            case "String" -> a -> GoPrint.print(time);
            case "UTC" -> a -> time.withZoneSameInstant(ZoneOffset.UTC);
            case "In" -> a -> time.withZoneSameInstant(argument(a, GoTimeZone.class).id());
            case "Location" -> a -> new GoTimeZone(time.getZone());
            case "IsZero" -> a -> time.toInstant().equals(Instant.parse("0001-01-01T00:00:00Z"));
            case "Add" -> a -> time.plus(argument(a, Duration.class));
            case "Sub" -> a -> Duration.between(argument(a, ZonedDateTime.class), time);
            case "AddDate" ->
                    a -> time.plusYears(whole(a, 0)).plusMonths(whole(a, 1)).plusDays(whole(a, 2));
            case "Before" ->
                    a -> time.toInstant().isBefore(argument(a, ZonedDateTime.class).toInstant());
            case "After" ->
                    a -> time.toInstant().isAfter(argument(a, ZonedDateTime.class).toInstant());
            case "Equal" ->
                    a -> time.toInstant().equals(argument(a, ZonedDateTime.class).toInstant());
            case "Compare" ->
                    a ->
                            (long)
                                    time.toInstant()
                                            .compareTo(
                                                    argument(a, ZonedDateTime.class).toInstant());
            case "Truncate" -> a -> truncate(time, argument(a, Duration.class), false);
            case "Round" -> a -> truncate(time, argument(a, Duration.class), true);
            default -> null;
        };
    }

    static @Nullable GoFunction of(Duration duration, String name) {
        return switch (name) {
            case "Hours" -> a -> duration.toNanos() / 3.6e12;
            case "Minutes" -> a -> duration.toNanos() / 6e10;
            case "Seconds" -> a -> duration.toNanos() / 1e9;
            case "Milliseconds" -> a -> GoInteger.int64(duration.toNanos() / 1_000_000);
            case "Microseconds" -> a -> GoInteger.int64(duration.toNanos() / 1000);
            case "Nanoseconds" -> a -> GoInteger.int64(duration.toNanos());
            case "Abs" -> a -> duration.abs();
            case "String" -> a -> GoDuration.format(duration);
            case "Truncate" ->
                    a -> {
                        long unit = argument(a, Duration.class).toNanos();
                        return unit <= 0
                                ? duration
                                : Duration.ofNanos(duration.toNanos() / unit * unit);
                    };
            case "Round" ->
                    a -> {
                        long unit = argument(a, Duration.class).toNanos();
                        long nanos = duration.toNanos();
                        long half = nanos < 0 ? -unit / 2 : unit / 2;
                        return unit <= 0
                                ? duration
                                : Duration.ofNanos((nanos + half) / unit * unit);
                    };
            default -> null;
        };
    }

    private static ZonedDateTime truncate(ZonedDateTime time, Duration to, boolean round) {
        long unit = to.toNanos();
        if (unit <= 0) {
            return time;
        }
        // Go counts from year 1, which matters for units that do not divide a day, weeks for
        // instance.
        Duration since = Duration.between(Instant.parse("0001-01-01T00:00:00Z"), time.toInstant());
        long rest =
                java.math.BigInteger.valueOf(since.getSeconds())
                        .multiply(java.math.BigInteger.valueOf(1_000_000_000))
                        .add(java.math.BigInteger.valueOf(since.getNano()))
                        .mod(java.math.BigInteger.valueOf(unit))
                        .longValueExact();
        return round && rest + rest >= unit ? time.plusNanos(unit - rest) : time.minusNanos(rest);
    }

    private static <T> T argument(List<? extends @Nullable Object> arguments, Class<T> type) {
        if (arguments.size() != 1) {
            throw new GoPanic(
                    arguments.isEmpty()
                            ? "not enough arguments to call method"
                            : "too many arguments to call method");
        }
        Object value = arguments.get(0);
        if (!type.isInstance(value)) {
            throw new GoPanic("cannot use " + GoType.name(value) + " as argument of this method");
        }
        return type.cast(value);
    }

    private static long whole(List<? extends @Nullable Object> arguments, int index) {
        Object value = index < arguments.size() ? arguments.get(index) : null;
        if (value == null || !GoType.isInteger(value)) {
            throw new GoPanic(
                    "cannot use " + GoType.name(value) + " as int argument of this method");
        }
        return GoType.toLong(value);
    }
}
