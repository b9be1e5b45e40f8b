package dev.millrace.triggers.backoff;

import dev.millrace.expressions.duration.DurationSyntaxException;
import dev.millrace.expressions.duration.GoDuration;
import dev.millrace.schemas.event.Backoff;
import dev.millrace.schemas.workflow.Scalar;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How often a trigger is tried and how long it waits in between. Without a block there is one
 * attempt; a block without {@code steps} means five. Numbers may be quoted.
 */
public sealed interface RetryPolicy {

    /**
     * Attempts with pauses.
     *
     * @param attempts at least 1
     * @param first the pause before the second attempt
     * @param factor by which it grows
     * @param jitter share of the pause that chance adds
     */
    record Attempts(int attempts, Duration first, double factor, double jitter)
            implements RetryPolicy {

        /**
         * The pause after a failed attempt.
         *
         * @param attempt from 1
         * @param chance from 0 to 1
         */
        public Duration after(int attempt, double chance) {
            double nanos = first.toNanos() * Math.pow(factor, attempt - 1);
            double pause = nanos + chance * jitter * nanos;
            return Duration.ofNanos((long) Math.clamp(pause, 0, LONGEST.toNanos()));
        }
    }

    /** No attempt is made at all. */
    record Unreadable(String message) implements RetryPolicy {}

    /** Retries are kept in the log for a week; a pause that comes near it is a mistake. */
    Duration LONGEST = Duration.ofDays(1);

    int DEFAULT_STEPS = 5;

    /** What an empty block means. */
    RetryPolicy DEFAULT = new Attempts(DEFAULT_STEPS, Duration.ofSeconds(1), 1, 1);

    Pattern NUMBER = Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");
    Pattern NANOSECONDS = Pattern.compile("\\d{1,18}");

    static RetryPolicy of(@Nullable Backoff backoff) {
        if (backoff == null) {
            return new Attempts(1, Duration.ZERO, 1, 0);
        }
        Duration first = duration(backoff.duration());
        if (first == null) {
            return new Unreadable(
                    "invalid backoff configuration: duration "
                            + backoff.duration()
                            + " is neither whole nanoseconds nor a duration such as 3s");
        }
        if (!isNumber(backoff.factor()) || !isNumber(backoff.jitter())) {
            return new Unreadable(
                    "invalid backoff configuration: factor and jitter are numbers, not "
                            + backoff.factor()
                            + " and "
                            + backoff.jitter());
        }
        int steps =
                backoff.steps() == null || backoff.steps() < 1 ? DEFAULT_STEPS : backoff.steps();
        return new Attempts(steps, first, number(backoff.factor(), 1), number(backoff.jitter(), 1));
    }

    private static boolean isNumber(@Nullable Scalar number) {
        return number == null || NUMBER.matcher(number.toString()).matches();
    }

    private static double number(@Nullable Scalar number, double absent) {
        return number == null ? absent : Double.parseDouble(number.toString());
    }

    private static @Nullable Duration duration(@Nullable Scalar duration) {
        if (duration == null) {
            return Duration.ofSeconds(1);
        }
        String text = duration.toString();
        if (NANOSECONDS.matcher(text).matches()) {
            return Duration.ofNanos(Long.parseLong(text));
        }
        try {
            Duration read = GoDuration.parse(text);
            return read.isNegative() ? null : read;
        } catch (DurationSyntaxException e) {
            // The caller says what is wrong with it.
            return null;
        }
    }
}
