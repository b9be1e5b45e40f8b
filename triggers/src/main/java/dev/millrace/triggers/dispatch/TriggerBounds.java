package dev.millrace.triggers.dispatch;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;

/**
 * How many attempts of one trigger run at once, so that a slow receiver does not take the threads
 * of all.
 */
final class TriggerBounds {

    private static final int AT_ONCE = 16;

    /** Something that takes long. */
    interface Task<T> {
        T run() throws InterruptedException;
    }

    private static final class Bound {
        final Semaphore permits = new Semaphore(AT_ONCE, true);
        int users;
    }

    private final Map<String, Bound> bounds = new HashMap<>();

    <T> T within(String trigger, Task<T> task) throws InterruptedException {
        Bound bound = enter(trigger);
        try {
            bound.permits.acquire();
            try {
                return task.run();
            } finally {
                bound.permits.release();
            }
        } finally {
            leave(trigger, bound);
        }
    }

    private synchronized Bound enter(String trigger) {
        Bound bound = bounds.computeIfAbsent(trigger, _ -> new Bound());
        bound.users++;
        return bound;
    }

    /** A trigger that is gone leaves nothing behind. */
    private synchronized void leave(String trigger, Bound bound) {
        bound.users--;
        if (bound.users == 0) {
            bounds.remove(trigger);
        }
    }
}
