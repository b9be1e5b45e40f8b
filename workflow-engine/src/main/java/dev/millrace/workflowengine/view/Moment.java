package dev.millrace.workflowengine.view;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A point in the history of a workflow. */
public sealed interface Moment {

    /**
     * After so many transitions.
     *
     * @param number from 1, within this life of the workflow
     */
    record AfterTransition(long number) implements Moment {}

    /** What stood at this instant, transitions of the very instant included. */
    record At(Instant instant) implements Moment {}

    /** A number, an RFC 3339 time, or a span before {@code now} such as {@code 1h30m}. */
    static Optional<Moment> parse(String text, Instant now) {
        if (text.matches("\\d{1,18}")) {
            return Optional.of(new AfterTransition(Long.parseLong(text)));
        }
        try {
            return Optional.of(
                    new At(
                            text.matches("(\\d{1,9}[smhd])+")
                                    ? now.minus(span(text))
                                    : OffsetDateTime.parse(text).toInstant()));
        } catch (DateTimeException | ArithmeticException e) {
            return Optional.empty();
        }
    }

    private static Duration span(String text) {
        Matcher part = Pattern.compile("(\\d+)([smhd])").matcher(text);
        Duration span = Duration.ZERO;
        while (part.find()) {
            long count = Long.parseLong(part.group(1));
            span =
                    switch (part.group(2)) {
                        case "s" -> span.plusSeconds(count);
                        case "m" -> span.plusMinutes(count);
                        case "h" -> span.plusHours(count);
                        default -> span.plusDays(count);
                    };
        }
        return span;
    }
}
