package dev.millrace.executors.artifact;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Tries again what may pass: with a pause that doubles up to a limit.
 *
 * @param attempts at least 1
 * @param pause before the second attempt
 * @param longest the limit of the pause
 */
record Retries(int attempts, Duration pause, Duration longest) {
    static final Retries DEFAULT = new Retries(5, Duration.ofMillis(200), Duration.ofSeconds(5));

    /** What is tried. */
    @FunctionalInterface
    interface Attempt<T> {
        T run() throws ArtifactException, IOException;
    }

    /**
     * Runs until it succeeds, fails for good, or no attempt is left.
     *
     * @throws ArtifactException the last failure
     */
    <T> T call(Cancellation cancellation, Attempt<T> attempt)
            throws ArtifactException, IOException {
        for (int n = 1; ; n++) {
            cancellation.check();
            try {
                return attempt.run();
            } catch (ArtifactException e) {
                if (!e.isPassing() || Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                if (n >= attempts) {
                    throw new ArtifactException(
                            "%s (tried %d times)".formatted(e.reason(), attempts), e);
                }
                sleep(n, e);
            }
        }
    }

    private void sleep(int failed, ArtifactException cause) throws ArtifactException {
        long millis = Math.min(longest.toMillis(), pause.toMillis() << Math.min(failed - 1, 20));
        try {
            // Not all at once, where many steps lost the same server.
            Thread.sleep(millis / 2 + ThreadLocalRandom.current().nextLong(millis / 2 + 1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw cause;
        }
    }
}
