package dev.millrace.cli.local;

import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Closes something once: at the end of its block, or when the process is told to end before that.
 */
public final class ClosedOnExit implements AutoCloseable {

    private final ReentrantLock lock = new ReentrantLock();
    private final Thread hook;
    private @Nullable Runnable action;
    private volatile boolean exiting;

    public ClosedOnExit(Runnable action) {
        this.action = action;
        this.hook =
                new Thread(
                        () -> {
                            exiting = true;
                            run();
                        },
                        "stop");
        try {
            Runtime.getRuntime().addShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process is ending already.
            exiting = true;
        }
    }

    /** Whether the process was told to end before the end of the block. */
    public boolean isExiting() {
        return exiting;
    }

    @Override
    public void close() {
        run();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process is ending, and the hook finds that nothing is left to do.
            return;
        }
    }

    /** The second caller waits for the first: the process may not end half-way. */
    private void run() {
        lock.lock();
        try {
            Runnable once = action;
            action = null;
            if (once != null) {
                once.run();
            }
        } finally {
            lock.unlock();
        }
    }
}
