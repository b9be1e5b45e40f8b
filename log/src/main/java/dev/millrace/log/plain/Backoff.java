package dev.millrace.log.plain;

import java.time.Duration;

/**
 * Pauses between attempts that never end: doubled up to a cap.
 *
 * @param first before the second attempt
 * @param cap the longest pause
 */
public record Backoff(Duration first, Duration cap) {

    /** From 100 ms to 10 s: a broker that restarts is back in seconds. */
    public static final Backoff DEFAULT =
            new Backoff(Duration.ofMillis(100), Duration.ofSeconds(10));

    /** The pause after that many failed attempts in a row (1 is the first). */
    public Duration after(int failures) {
        int doublings = Math.min(Math.max(failures - 1, 0), 20);
        Duration pause = first.multipliedBy(1L << doublings);
        return pause.compareTo(cap) > 0 ? cap : pause;
    }
}
