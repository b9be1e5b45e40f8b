package dev.millrace.log.stream;

import java.time.Duration;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * How long a stream thread sleeps when nothing comes. Commits and timers wait until it wakes up, so
 * it sleeps shortly while there is work and for long when there is none: at 2 ms throughout, an
 * idle server would spend some 5 % of a core for each thread.
 */
final class Pace {

    /** Commits follow within this time after the last input. */
    static final Duration BUSY = Duration.ofMillis(2);

    /** What a timer may be late when nothing else happens. */
    static final Duration IDLE = Duration.ofMillis(50);

    /** Longer than the commit interval, and than a step in a chain takes to come back. */
    private static final long BUSY_FOR_NANOS = Duration.ofMillis(100).toNanos();

    private static final String SETTING = "millrace.pace";

    private final LongSupplier nanoTime;
    private volatile long lastWork;

    /** As the machine's clock says. */
    Pace() {
        this(System::nanoTime);
    }

    /**
     * @param nanoTime a clock as {@link System#nanoTime}
     */
    Pace(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.lastWork = nanoTime.getAsLong();
    }

    /** Something was done, and more may come of it. */
    void worked() {
        lastWork = nanoTime.getAsLong();
    }

    /** How long to sleep now, at most {@code wanted}. */
    Duration pause(Duration wanted) {
        boolean busy = nanoTime.getAsLong() - lastWork < BUSY_FOR_NANOS;
        return busy && wanted.compareTo(BUSY) > 0 ? BUSY : wanted;
    }

    /** Settings by which the processors of an application find it. */
    Map<String, Object> asSetting() {
        return Map.of(SETTING, this);
    }

    /**
     * The pace of the application that a processor belongs to; one of nobody's in a test without
     * threads.
     */
    static Pace of(Map<String, Object> settings) {
        return settings.get(SETTING) instanceof Pace pace ? pace : new Pace();
    }
}
