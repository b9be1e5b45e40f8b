package dev.millrace.expressions.cron;

import dev.millrace.expressions.duration.HumanDuration;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;

/** A constant distance between times. */
record IntervalSchedule(Duration interval) implements CronSchedule {

    IntervalSchedule {
        interval =
                interval.compareTo(Duration.ofSeconds(1)) < 0
                        ? Duration.ofSeconds(1)
                        : interval.truncatedTo(ChronoUnit.SECONDS);
    }

    @Override
    public Optional<Instant> next(Instant after) {
        return Optional.of(after.truncatedTo(ChronoUnit.SECONDS).plus(interval));
    }

    @Override
    public String describe(Locale locale) {
        return "every " + HumanDuration.words(interval);
    }
}
