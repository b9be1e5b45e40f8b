package dev.millrace.eventsources;

import static dev.millrace.eventsources.EntryStatus.State.CONNECTING;
import static dev.millrace.eventsources.EntryStatus.State.FAILED;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps one entry going on a virtual thread: begins it anew for ever, with growing pauses. */
final class SupervisedEntry {

    private static final Logger LOG = LoggerFactory.getLogger(SupervisedEntry.class);

    /** A run that was good for so long ends a row of failures. */
    private static final Duration GOOD_RUN = Duration.ofMinutes(1);

    private final EntryKey key;
    private final EventSourceEntry entry;
    private final InstantSource clock;
    private final UnaryOperator<String> redact;
    private final Runnable statusChanged;
    private final Thread thread;
    private EntryStatus status;

    SupervisedEntry(
            EntryKey key,
            EventSourceEntry entry,
            InstantSource clock,
            UnaryOperator<String> redact,
            Runnable statusChanged) {
        this.key = key;
        this.entry = entry;
        this.clock = clock;
        this.redact = redact;
        this.statusChanged = statusChanged;
        this.status = new EntryStatus(CONNECTING, null, clock.instant());
        this.thread = Thread.ofVirtual().name("entry " + key).unstarted(this::supervise);
    }

    void start() {
        thread.start();
    }

    /** Stops the entry and waits until it holds nothing any more. */
    void stop() {
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    synchronized EntryStatus status() {
        return status;
    }

    /** Waits until the entry is past connecting, at most so long. */
    synchronized void awaitSettled(Duration atMost) throws InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (status.state() == CONNECTING && thread.isAlive()) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                return;
            }
            wait(left / 1_000_000 + 1);
        }
    }

    private void supervise() {
        try {
            runForEver();
        } finally {
            entry.close();
        }
    }

    private void runForEver() {
        RetryPause pause = RetryPause.DEFAULT;
        int failures = 0;
        while (!Thread.currentThread().isInterrupted()) {
            long begun = System.nanoTime();
            try {
                entry.run(this::report);
                return;
            } catch (InterruptedException e) {
                return;
            } catch (EntryConfigurationException e) {
                LOG.warn("{} cannot run: {}", key, e.getMessage());
                report(FAILED, e.getMessage());
                return;
            } catch (Exception e) {
                if (Thread.currentThread().isInterrupted()) {
                    // Clients wrap the interrupt in exceptions of their own.
                    LOG.debug("{} was stopped at work", key, e);
                    return;
                }
                boolean wasGood = System.nanoTime() - begun > GOOD_RUN.toNanos();
                failures = wasGood ? 1 : failures + 1;
                warn(failures, e);
                report(FAILED, message(e));
                try {
                    Thread.sleep(pause.after(failures, RandomGenerator.getDefault()));
                } catch (InterruptedException stopped) {
                    return;
                }
            }
        }
    }

    private void report(EntryStatus.State state, @Nullable String message) {
        String shown = message == null ? null : redact.apply(message);
        synchronized (this) {
            if (status.says(state, shown)) {
                return;
            }
            status = new EntryStatus(state, shown, clock.instant());
            notifyAll();
        }
        statusChanged.run();
    }

    /** The stack of what the world did to us says nothing; that of a bug says all. */
    private void warn(int failures, Exception e) {
        String what = "{} failed (attempt {}) and is tried again: {}";
        if (e instanceof IOException) {
            LOG.warn(what, key, failures, redact.apply(message(e)));
            LOG.debug("{} failed", key, e);
        } else {
            LOG.warn(what, key, failures, redact.apply(message(e)), e);
        }
    }

    private static String message(Exception e) {
        return e.getMessage() == null ? e.toString() : e.getMessage();
    }
}
