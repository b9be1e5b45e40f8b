package dev.millrace.expressions.govaluate;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A text in quotes that looks like a time stands for its Unix seconds. Without a zone it is UTC.
 */
final class TimeLiteral {

    private static final Pattern ISO =
            Pattern.compile(
                    "(\\d{4})-(\\d{2})-(\\d{2})"
                            + "(?:([T ])(\\d{1,2})(?::(\\d{2})(?::(\\d{2})(?:[.,]\\d+)?)?)?(Z|[+-]\\d{2}:?\\d{2})?)?");

    private static final Pattern KITCHEN = Pattern.compile("(\\d{1,2}):(\\d{2})([AP]M)");

    /**
     * A zone's name says nothing about its offset to Go, unless it is the local one; it counts as
     * UTC.
     */
    private static final Pattern ZONE_NAME = Pattern.compile(" [A-Z]{3,4} (?=\\d{4}$)");

    private static final DateTimeFormatter ANSIC =
            DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss yyyy", Locale.ENGLISH);

    private static final DateTimeFormatter RUBY =
            DateTimeFormatter.ofPattern("EEE MMM dd HH:mm:ss xx yyyy", Locale.ENGLISH);

    private TimeLiteral() {}

    /** The Unix seconds, or null if the text is no time. */
    static @Nullable Double seconds(String text) {
        try {
            Matcher iso = ISO.matcher(text);
            if (iso.matches()) {
                return iso(iso);
            }
            Matcher kitchen = KITCHEN.matcher(text);
            if (kitchen.matches()) {
                return kitchen(kitchen);
            }
            return named(text);
        } catch (DateTimeException e) {
            // Looks like a time and is none (February 30): then it is a string, as any other text.
            return null;
        }
    }

    private static @Nullable Double iso(Matcher iso) {
        String zone = iso.group(8);
        boolean seconds = iso.group(7) != null;
        boolean zoneWithColon = zone != null && zone.contains(":");
        boolean known =
                switch (String.valueOf(iso.group(4))) {
                    case "T" -> zone != null && (!zoneWithColon || seconds);
                    case " " ->
                            iso.group(6) != null && (zone == null || (zoneWithColon && seconds));
                    default -> true;
                };
        if (!known) {
            return null;
        }
        LocalDateTime time =
                LocalDateTime.of(
                        number(iso.group(1)),
                        number(iso.group(2)),
                        number(iso.group(3)),
                        number(iso.group(5)),
                        number(iso.group(6)),
                        number(iso.group(7)));
        return (double) time.toEpochSecond(zone == null ? ZoneOffset.UTC : ZoneOffset.of(zone));
    }

    private static Double kitchen(Matcher kitchen) {
        int hour = number(kitchen.group(1));
        if (hour < 1 || hour > 12) {
            throw new DateTimeException("hour " + hour);
        }
        LocalTime time =
                LocalTime.of(
                        hour % 12 + (kitchen.group(3).equals("PM") ? 12 : 0),
                        number(kitchen.group(2)));
        return (double) LocalDateTime.of(0, 1, 1, 0, 0).with(time).toEpochSecond(ZoneOffset.UTC);
    }

    private static @Nullable Double named(String text) {
        if (text.length() < 20 || !Character.isUpperCase(text.charAt(0))) {
            return null;
        }
        if (text.indexOf('+') > 0 || text.indexOf('-') > 0) {
            return (double) OffsetDateTime.parse(text, RUBY).toEpochSecond();
        }
        String plain = ZONE_NAME.matcher(text).replaceFirst(" ");
        return (double) LocalDateTime.parse(plain, ANSIC).toEpochSecond(ZoneOffset.UTC);
    }

    private static int number(@Nullable String digits) {
        return digits == null ? 0 : Integer.parseInt(digits);
    }
}
