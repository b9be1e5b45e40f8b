package dev.millrace.cli.view;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Times and spans of time in the words that people expect. */
public final class Times {

    private static final DateTimeFormatter FULL =
            DateTimeFormatter.ofPattern("EEE MMM dd HH:mm:ss Z", Locale.ROOT);

    private Times() {}

    /** An RFC 3339 time of an object; empty if it is absent. */
    public static Optional<Instant> of(JsonNode value) {
        String text = value.asString("");
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Instant.parse(text));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    /** In one unit, as tables show it: {@code 5s}, {@code 3m}, {@code 2h}, {@code 4d}. */
    public static String brief(Duration span) {
        long seconds = Math.max(0, span.toSeconds());
        if (seconds < 60) {
            return seconds + "s";
        }
        if (seconds < 3600) {
            return seconds / 60 + "m";
        }
        return seconds < 86_400 ? seconds / 3600 + "h" : seconds / 86_400 + "d";
    }

    /** In its two largest units: {@code 1 minute 5 seconds}. */
    public static String words(Duration span) {
        long seconds = Math.max(0, span.toSeconds());
        List<String> parts = new ArrayList<>();
        add(parts, seconds / 86_400, "day");
        add(parts, seconds % 86_400 / 3600, "hour");
        add(parts, seconds % 3600 / 60, "minute");
        add(parts, seconds % 60, "second");
        return parts.isEmpty()
                ? "0 seconds"
                : String.join(" ", parts.subList(0, Math.min(2, parts.size())));
    }

    /** A point in time and how long ago it was. */
    static String withAge(Instant time, Instant now, ZoneId zone) {
        String age = time.isAfter(now) ? "now" : words(Duration.between(time, now)) + " ago";
        return FULL.format(time.atZone(zone)) + " (" + age + ")";
    }

    private static void add(List<String> parts, long count, String unit) {
        if (count > 0) {
            parts.add(count + " " + unit + (count == 1 ? "" : "s"));
        }
    }
}
