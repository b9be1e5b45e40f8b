package dev.millrace.eventsources;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Pauses between attempts that never end: doubled up to a cap, and shortened by up to a half at
 * random, so that entries that lost the same server do not come back to it all at once.
 *
 * @param first before the second attempt
 * @param cap the longest pause
 */
public record RetryPause(Duration first, Duration cap) {

    /** From half a second to half a minute. */
    public static final RetryPause DEFAULT =
            new RetryPause(Duration.ofMillis(500), Duration.ofSeconds(30));

    /** The pause after that many failures in a row (1 is the first). */
    public Duration after(int failures, RandomGenerator random) {
        int doublings = Math.clamp(failures - 1L, 0, 20);
        Duration full = first.multipliedBy(1L << doublings);
        long nanos = (full.compareTo(cap) > 0 ? cap : full).toNanos();
        return Duration.ofNanos(nanos - (long) (random.nextDouble() * nanos / 2));
    }
}
