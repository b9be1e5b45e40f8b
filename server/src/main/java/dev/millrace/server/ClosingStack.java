package dev.millrace.server;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What was started, to be stopped in reverse. One part that does not stop well does not keep the
 * others from it.
 */
final class ClosingStack implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ClosingStack.class);

    private record Part(String name, AutoCloseable part) {}

    private final Deque<Part> parts = new ArrayDeque<>();

    /** Adds a part and gives it back. */
    synchronized <T extends AutoCloseable> T add(String name, T part) {
        parts.push(new Part(name, part));
        return part;
    }

    @Override
    public void close() {
        while (true) {
            Part next;
            synchronized (this) {
                next = parts.poll();
            }
            if (next == null) {
                return;
            }
            long since = System.nanoTime();
            try {
                next.part().close();
            } catch (Exception e) {
                LOG.error("{} did not stop well", next.name(), e);
            }
            LOG.debug("{} stopped in {} ms", next.name(), (System.nanoTime() - since) / 1_000_000);
        }
    }
}
