package dev.millrace.testkit;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Waits for facts: looks often, and fails with what was last seen when the time is up. */
public final class Await {

    /** Long enough for a loaded machine; a test that passes does not wait for it. */
    public static final Duration DEFAULT = Duration.ofSeconds(30);

    private static final Duration LOOK_EVERY = Duration.ofMillis(5);

    private Await() {}

    /** Waits until the condition holds. An exception of the condition counts as not yet. */
    public static void until(String fact, Callable<Boolean> condition) {
        until(fact, DEFAULT, condition);
    }

    /** As {@link #until(String, Callable)}, with a deadline. */
    public static void until(String fact, Duration atMost, Callable<Boolean> condition) {
        value(fact, atMost, () -> condition.call() ? Optional.of(true) : Optional.empty());
    }

    /** Waits until there is a value. */
    public static <T> T value(String fact, Callable<Optional<T>> look) {
        return value(fact, DEFAULT, look);
    }

    /** As {@link #value(String, Callable)}, with a deadline. */
    public static <T> T value(String fact, Duration atMost, Callable<Optional<T>> look) {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (true) {
            @Nullable Throwable why = null;
            try {
                Optional<T> seen = look.call();
                if (seen.isPresent()) {
                    return seen.get();
                }
            } catch (Exception | AssertionError e) {
                why = e;
            }
            if (System.nanoTime() > deadline) {
                throw new AssertionError("not within " + atMost + ": " + fact, why);
            }
            pause();
        }
    }

    /** Waits until assertions hold; the last failure is the cause. */
    public static void asserted(Runnable assertions) {
        asserted(DEFAULT, assertions);
    }

    /** As {@link #asserted(Runnable)}, with a deadline. */
    public static void asserted(Duration atMost, Runnable assertions) {
        until(
                "the assertions hold",
                atMost,
                () -> {
                    assertions.run();
                    return true;
                });
    }

    /** A fact that must keep for a while: fails as soon as it does not. */
    public static void holds(String fact, Duration during, Supplier<Boolean> condition) {
        long end = System.nanoTime() + during.toNanos();
        while (System.nanoTime() < end) {
            if (!condition.get()) {
                throw new AssertionError("did not keep for " + during + ": " + fact);
            }
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(LOOK_EVERY);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting", e);
        }
    }
}
