package dev.millrace.cli.command;

import dev.millrace.cli.CommandException;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Spans of time as options take them: {@code 30s}, {@code 10m}, {@code 3h}, {@code 2d}, {@code
 * 1h30m}.
 */
final class Spans {

    private static final Pattern WHOLE = Pattern.compile("(\\d{1,9}[smhd])+");
    private static final Pattern PART = Pattern.compile("(\\d+)([smhd])");

    private Spans() {}

    static Duration parse(String option, String text) {
        if (!WHOLE.matcher(text).matches()) {
            throw CommandException.usage(
                    "%s %s: write it like 30s, 10m, 3h or 2d".formatted(option, text));
        }
        Duration span = Duration.ZERO;
        Matcher part = PART.matcher(text);
        while (part.find()) {
            long count = Long.parseLong(part.group(1));
            span =
                    span.plus(
                            switch (part.group(2)) {
                                case "s" -> Duration.ofSeconds(count);
                                case "m" -> Duration.ofMinutes(count);
                                case "h" -> Duration.ofHours(count);
                                default -> Duration.ofDays(count);
                            });
        }
        return span;
    }
}
