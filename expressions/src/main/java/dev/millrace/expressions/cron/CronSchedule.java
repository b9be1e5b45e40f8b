package dev.millrace.expressions.cron;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Locale;
import java.util.Optional;

/** A rule that gives the next time after any given one. Immutable. */
public sealed interface CronSchedule permits FieldSchedule, IntervalSchedule {

    /**
     * Reads five fields (minute, hour, day of month, month, day of week), or a descriptor where
     * allowed. A prefix {@code TZ=zone} or {@code CRON_TZ=zone} overrides the zone.
     *
     * @throws CronSyntaxException if the text is none of these
     */
    static CronSchedule parse(String spec, CronOptions options, ZoneId zone) {
        return new CronParser(options).parse(spec, zone);
    }

    /**
     * Every so often, counted from the time asked about, on whole seconds; less than a second
     * counts as one.
     */
    static CronSchedule every(Duration interval) {
        return new IntervalSchedule(interval);
    }

    /** The first time strictly after the given one; empty if there is none within five years. */
    Optional<Instant> next(Instant after);

    /** The schedule in words, for people. */
    String describe(Locale locale);
}
