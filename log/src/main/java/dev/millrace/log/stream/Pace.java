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

    /** So many records in one poll come faster than they are worked off. */
    private static final int MANY_RECORDS = 50;

    /** Within such a time two commits are at once, and others wait for its end. */
    private static final int COMMIT_MILLIS = 10;

    /** A window is so many commits long at least, so that a machine at its limit gathers more. */
    private static final int COMMITS_IN_A_WINDOW = 4;

    /** For the rest of a poll, which a processor of another kind may have worked off. */
    private static final int SHARED_MILLIS = 5;

    /** A commit costs as much CPU as several turns; a queue makes its members wait for longer. */
    private static final int COMMIT_MILLIS_OF_MANY = 50;

    private static final String SETTING = "millrace.pace";

    private final LongSupplier nanoTime;
    private final Map<Object, Long> alarms = new ConcurrentHashMap<>();
    private volatile long lastWork;
    private volatile boolean many;
    private volatile int unprocessed;
    private volatile long commitStarted;
    private volatile long commitNanos;
    private volatile long lastCommit;
    private volatile long lastCommitButOne;

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
        many = records >= MANY_RECORDS;
        unprocessed = records;
    }

    /** One of the records that were received is worked off. */
    void processed() {
        unprocessed--;
    }

    /** What was done so far is committed now. */
    void committed(long wallClockMillis) {
        if (wallClockMillis != lastCommit) {
            lastCommitButOne = lastCommit;
            lastCommit = wallClockMillis;
            commitStarted = nanoTime.getAsLong();
        }
    }

    /** Whether what was done at an instant waits for a commit still. */
    boolean isUncommitted(long doneMillis) {
        return lastCommit <= doneMillis;
    }

    /**
     * When what is done now is to be committed, in milliseconds of the wall clock; for all tasks of
     * a thread alike, so that they share a transaction. At once where little comes, since somebody
     * may be waiting for what comes of it: a step reports its start and its end shortly one after
     * the other, and the next one waits for both.
     */
    long commitAt(long wallClockMillis) {
        if (wallClockMillis < lastCommit) {
            // The clock was set back: what was known of it means nothing.
            lastCommit = 0;
            lastCommitButOne = 0;
        }
        long window = TimeUnit.NANOSECONDS.toMillis(COMMITS_IN_A_WINDOW * commitNanos);
        long at =
                many
                        ? lastCommit + COMMIT_MILLIS_OF_MANY
                        : lastCommitButOne
                                + Math.clamp(window, COMMIT_MILLIS, COMMIT_MILLIS_OF_MANY);
        // What came in the same poll shares the transaction.
        return Math.max(at, wallClockMillis + (unprocessed > 0 ? SHARED_MILLIS : 0));
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
        endCommit(now);
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

    /** What was to be committed is, once the thread comes back for more; half of it is memory. */
    private void endCommit(long now) {
        if (commitStarted != 0) {
            commitNanos = (commitNanos + now - commitStarted) / 2;
            commitStarted = 0;
        }
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
