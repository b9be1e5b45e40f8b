package dev.millrace.eventsources.calendar;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides which tick of a calendar is next. The position is the last tick that was dealt with; it
 * is all the state there is. Pure: time comes in as an argument.
 */
final class CalendarMachine {

    /**
     * A tick that is late by no more than this fires, whether or not missed ticks are made up for:
     * a restart, or a move to another process, takes seconds.
     */
    static final Duration GRACE = Duration.ofSeconds(30);

    /**
     * From this on a tick is not in time any more, and its event shows when it should have been.
     */
    static final Duration IN_TIME = Duration.ofSeconds(1);

    /** What to do. */
    sealed interface Step {}

    /**
     * Nothing before that time; then ask again.
     *
     * @param position to go on from: later than before where missed ticks were given up
     */
    record Wait(Instant until, Instant position) implements Step {}

    /**
     * Fire.
     *
     * @param scheduled when the tick should be
     * @param position after it
     * @param isLate whether it is made up for rather than in time
     */
    record Fire(Instant scheduled, Instant position, boolean isLate) implements Step {}

    /** There is no further tick. */
    record Never() implements Step {}

    private final CalendarPlan plan;

    CalendarMachine(CalendarPlan plan) {
        this.plan = plan;
    }

    /** Where to go on from a stored position; null if there is none. */
    Instant begin(@Nullable Instant stored, Instant now) {
        if (stored == null) {
            return now;
        }
        if (stored.isAfter(now)) {
            // The clock went back: what has fired does not fire again.
            return stored;
        }
        return switch (plan.catchUp()) {
            case CalendarPlan.Missed missed -> {
                Duration max = missed.maxDuration();
                yield max == null ? stored : latest(stored, now.minus(max));
            }
            case CalendarPlan.None _ -> {
                Instant graced = now.minus(GRACE);
                boolean nothingMissed =
                        plan.schedule().next(stored).map(n -> !n.isBefore(graced)).orElse(true);
                Instant restart = plan.isInterval() ? now : graced;
                yield nothingMissed ? stored : restart;
            }
        };
    }

    /** What is next after a position. */
    Step decide(Instant position, Instant now) {
        Instant from = begin(position, now);
        Optional<Instant> next = plan.schedule().next(from);
        while (next.isPresent() && plan.excludes(next.get())) {
            next = plan.schedule().next(next.get());
        }
        if (next.isEmpty()) {
            return new Never();
        }
        Instant tick = next.get();
        if (tick.isAfter(now)) {
            return new Wait(tick, from);
        }
        return new Fire(tick, after(tick, now), now.isAfter(tick.plus(IN_TIME)));
    }

    /**
     * An interval without catch-up is counted from when it really fired, so that a pause of the
     * process does not end in a burst.
     */
    private Instant after(Instant tick, Instant now) {
        boolean fromNow = plan.isInterval() && plan.catchUp() instanceof CalendarPlan.None;
        return fromNow ? latest(tick, now.truncatedTo(ChronoUnit.SECONDS)) : tick;
    }

    private static Instant latest(Instant a, Instant b) {
        return a.isAfter(b) ? a : b;
    }
}
