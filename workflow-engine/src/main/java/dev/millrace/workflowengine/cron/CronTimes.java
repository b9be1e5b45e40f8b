package dev.millrace.workflowengine.cron;

import dev.millrace.expressions.cron.CronSchedule;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Looks back on a schedule, which itself only looks forward. */
final class CronTimes {
    private static final Duration FIRST_LOOK = Duration.ofMinutes(1);
    private static final int WIDER = 16;

    private CronTimes() {}

    /**
     * The last time that is not after {@code now} and neither before {@code first}, which is a time
     * of the schedule, nor longer ago than {@code horizon}. It looks back over a minute first and
     * then over longer and longer spans, so that neither a schedule of each second nor a pause of a
     * year makes it walk through all times in between.
     */
    static Optional<Instant> latest(
            CronSchedule schedule, Instant first, Instant now, Duration horizon) {
        Duration span = FIRST_LOOK;
        while (true) {
            boolean whole = span.compareTo(horizon) >= 0;
            Instant from = now.minus(whole ? horizon : span);
            boolean all = !first.isBefore(from);
            Instant at = all ? first : schedule.next(from.minusMillis(1)).orElse(null);
            if (at != null && !at.isAfter(now)) {
                return Optional.of(last(schedule, at, now));
            }
            if (all || whole) {
                return Optional.empty();
            }
            span = span.multipliedBy(WIDER);
        }
    }

    private static Instant last(CronSchedule schedule, Instant from, Instant now) {
        Instant at = from;
        while (true) {
            Optional<Instant> next = schedule.next(at);
            if (next.isEmpty() || next.get().isAfter(now)) {
                return at;
            }
            at = next.get();
        }
    }
}
