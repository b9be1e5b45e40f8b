package dev.millrace.expressions.expr;

import dev.millrace.expressions.duration.DurationSyntaxException;
import dev.millrace.expressions.duration.GoDuration;
import dev.millrace.expressions.expr.Builtins.Signature;
import dev.millrace.expressions.expr.value.GoLayout;
import dev.millrace.expressions.expr.value.GoPanic;
import dev.millrace.expressions.expr.value.GoTimeZone;
import dev.millrace.expressions.expr.value.GoType;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Built-in functions over times. */
final class TimeBuiltins {

    /** The forms that a date without a layout may have, in the order they are tried. */
    private static final List<GoLayout> LAYOUTS =
            List.of(
                    GoLayout.of("2006-01-02"),
                    GoLayout.of("15:04:05"),
                    GoLayout.of("2006-01-02 15:04:05"),
                    GoLayout.of(GoLayout.RFC3339),
                    GoLayout.of("02 Jan 06 15:04 MST"),
                    GoLayout.of("Monday, 02-Jan-06 15:04:05 MST"),
                    GoLayout.of("Mon, 02 Jan 2006 15:04:05 MST"));

    private TimeBuiltins() {}

    static void addTo(Map<String, Signature> table) {
        // The one place of the language that reads the clock, because it is what the function is
        // for.
        table.put("now", new Signature("x", 0, 1, StaticType.TIME, a -> now(a)));
        table.put(
                "duration",
                new Signature(
                        "s", 1, 1, StaticType.DURATION, a -> duration(TextBuiltins.text(a, 0))));
        table.put("date", new Signature("xxx", 1, 3, StaticType.TIME, TimeBuiltins::date));
        table.put(
                "timezone",
                new Signature(
                        "s",
                        1,
                        1,
                        StaticType.UNKNOWN,
                        a -> new GoTimeZone(zone(TextBuiltins.text(a, 0)))));
    }

    private static ZonedDateTime now(List<? extends @Nullable Object> a) {
        ZonedDateTime now = ZonedDateTime.now(ZoneOffset.UTC);
        return a.isEmpty() ? now : now.withZoneSameInstant(zoneOf(a.get(0)));
    }

    private static Duration duration(String text) {
        try {
            return GoDuration.parse(text);
        } catch (DurationSyntaxException e) {
            throw new GoPanic(String.valueOf(e.getMessage()));
        }
    }

    private static ZoneId zoneOf(@Nullable Object value) {
        return switch (value) {
            case GoTimeZone zone -> zone.id();
            case String name -> zone(name);
            case null, default ->
                    throw new GoPanic(
                            "interface conversion: interface {} is "
                                    + GoType.name(value)
                                    + ", not *time.Location");
        };
    }

    static ZoneId zone(String name) {
        if (name.isEmpty() || name.equals("UTC")) {
            return ZoneOffset.UTC;
        }
        if (name.equals("Local")) {
            return ZoneId.systemDefault();
        }
        try {
            return ZoneId.of(name);
        } catch (java.time.DateTimeException e) {
            throw new GoPanic("unknown time zone " + name);
        }
    }

    private static ZonedDateTime date(List<? extends @Nullable Object> arguments) {
        ZoneId zone = ZoneOffset.UTC;
        List<? extends @Nullable Object> a = arguments;
        if (a.get(0) instanceof GoTimeZone first) {
            zone = first.id();
            a = a.subList(1, a.size());
        }
        if (a.isEmpty()) {
            throw new GoPanic("not enough arguments to call date");
        }
        if (a.size() > 2) {
            zone = zoneOf(a.get(2));
        }
        String text = TextBuiltins.text(a, 0);
        if (a.size() > 1) {
            return GoLayout.of(TextBuiltins.text(a, 1)).parse(text, zone);
        }
        for (GoLayout layout : LAYOUTS) {
            try {
                return layout.parse(text, zone);
            } catch (GoPanic e) {
                // Not this form; the next one may fit.
                continue;
            }
        }
        throw new GoPanic("invalid date " + text);
    }
}
