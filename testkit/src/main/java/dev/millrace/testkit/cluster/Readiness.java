package dev.millrace.testkit.cluster;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Waits for a server that takes its time, and gives up at once when its process has ended. */
final class Readiness {
    private Readiness() {}

    /**
     * @param message what is said if it does not become ready
     * @throws IllegalStateException if it does not become ready in time, or has ended
     */
    static void await(
            Duration atMost,
            Callable<Boolean> ready,
            BooleanSupplier alive,
            Supplier<String> message) {
        long deadline = System.nanoTime() + atMost.toNanos();
        @Nullable Exception last = null;
        while (alive.getAsBoolean() && System.nanoTime() < deadline) {
            try {
                if (ready.call()) {
                    return;
                }
                Thread.sleep(50);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while waiting", e);
            } catch (Exception e) {
                // Refused connections are what a server that starts answers.
                last = e;
            }
        }
        throw new IllegalStateException(message.get(), last);
    }
}
