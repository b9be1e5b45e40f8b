package dev.millrace.log.stream;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How long a stream thread sleeps when nothing comes. Commits and timers wait until it wakes up, so
 * it sleeps shortly while there is work, until the next timer when there is one, and for long
 * otherwise: at 2 ms throughout, an idle server would spend some 5 % of a core for each thread.
 */
final class Pace {

    /** Commits follow within this time after the last input. */
    static final Duration BUSY = Duration.ofMillis(2);

    /** As long as nothing is due; what comes wakes the thread up, whenever that is. */
    static final Duration IDLE = Duration.ofMillis(500);

    /** Longer than the commit interval, and than a step in a chain takes to come back. */
    private static final long BUSY_FOR_NANOS = Duration.ofMillis(100).toNanos();

    /**
     * A record that comes so long after the last one is committed at once. Half of the commit
     * interval, so that this makes few transactions more than the interval itself.
     */
    private static final long ALONE_AFTER_NANOS = Duration.ofMillis(5).toNanos();

    /** So many records in one poll come faster than they are worked off. */
    private static final int MANY_RECORDS = 50;

    private static final int COMMIT_MILLIS = 10;

    /** A commit costs as much CPU as several turns; a queue makes its members wait for longer. */
    private static final int COMMIT_MILLIS_OF_MANY = 50;

    private static final String SETTING = "millrace.pace";

    private final LongSupplier nanoTime;
    private final Map<Object, Long> alarms = new ConcurrentHashMap<>();
    private volatile long lastWork;
    private volatile long lastRecords;
    private volatile boolean alone;
    private volatile boolean many;

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

    /** So many records came at once; at least one. */
    void received(int records) {
        worked();
        alone = records == 1 && lastWork - lastRecords > ALONE_AFTER_NANOS;
        lastRecords = lastWork;
        many = records >= MANY_RECORDS;
    }

    /**
     * Whether the last record came alone, so that somebody may be waiting for what comes of it and
     * nothing would share its transaction.
     */
    boolean isAlone() {
        return alone;
    }

    /**
     * In how many milliseconds what is done now is to be committed; at least 1. The instants are
     * multiples of the interval, so that the tasks of a thread share a transaction.
     */
    long untilCommit(long wallClockMillis) {
        int interval = many ? COMMIT_MILLIS_OF_MANY : COMMIT_MILLIS;
        return interval - Math.floorMod(wallClockMillis, interval);
    }

    /**
     * Somebody has to be awake in so many milliseconds from now; in place of what the same one said
     * before.
     */
    void wakeIn(Object whom, long millis) {
        alarms.put(whom, nanoTime.getAsLong() + TimeUnit.MILLISECONDS.toNanos(millis));
    }

    /** Somebody has nothing to be woken for. */
    void letSleep(Object whom) {
        alarms.remove(whom);
    }

    /** How long to sleep now, at most {@code wanted}. */
    Duration pause(Duration wanted) {
        long now = nanoTime.getAsLong();
        long most = wanted.toNanos();
        if (now - lastWork < BUSY_FOR_NANOS) {
            most = Math.min(most, BUSY.toNanos());
        }
        for (long alarm : alarms.values()) {
            // One that is overdue is of a task that does not run at present.
            most = Math.min(most, Math.max(BUSY.toNanos(), alarm - now));
        }
        // A consumer counts in whole milliseconds, and one that is woken too soon sleeps again.
        return Duration.ofMillis(TimeUnit.NANOSECONDS.toMillis(most + 999_999));
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
