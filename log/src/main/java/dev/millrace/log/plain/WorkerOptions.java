package dev.millrace.log.plain;

import java.time.Duration;

/**
 * How a {@link GroupWorker} works.
 *
 * @param concurrency how many handlers run at once
 * @param maxInFlight how many records may be taken up but not done; beyond it reading pauses. At
 *     least the concurrency. A slow record does not hold up others till then
 * @param keepKeyOrder whether records with the same key are handled one after the other
 * @param commitInterval how often offsets are committed; bounds what a crash repeats
 * @param closeTimeout how long a close waits for handlers that run
 * @param backoff between attempts
 */
public record WorkerOptions(
        int concurrency,
        int maxInFlight,
        boolean keepKeyOrder,
        Duration commitInterval,
        Duration closeTimeout,
        Backoff backoff) {

    /** 64 at once, by key in order, commits every 100 ms. */
    public static final WorkerOptions DEFAULT =
            new WorkerOptions(
                    64,
                    1_000,
                    true,
                    Duration.ofMillis(100),
                    Duration.ofSeconds(10),
                    Backoff.DEFAULT);

    public WorkerOptions {
        if (concurrency < 1 || maxInFlight < concurrency) {
            throw new IllegalArgumentException(
                    "concurrency must be at least 1 and maxInFlight at least that, not "
                            + concurrency
                            + " and "
                            + maxInFlight);
        }
    }

    public WorkerOptions withConcurrency(int handlers) {
        return new WorkerOptions(
                handlers,
                Math.max(maxInFlight, handlers),
                keepKeyOrder,
                commitInterval,
                closeTimeout,
                backoff);
    }

    public WorkerOptions withMaxInFlight(int records) {
        return new WorkerOptions(
                concurrency, records, keepKeyOrder, commitInterval, closeTimeout, backoff);
    }

    public WorkerOptions withKeyOrder(boolean keep) {
        return new WorkerOptions(
                concurrency, maxInFlight, keep, commitInterval, closeTimeout, backoff);
    }

    public WorkerOptions withCloseTimeout(Duration timeout) {
        return new WorkerOptions(
                concurrency, maxInFlight, keepKeyOrder, commitInterval, timeout, backoff);
    }
}
