package dev.millrace.log;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Parts that do not need each other while they stop, so they stop at the same time. A reader of
 * Kafka takes a fifth of a second to stop, a Streams application half a second, and nearly all of
 * it is waiting.
 *
 * <p>One part that does not stop well does not keep the others from it.
 */
public final class ClosingGroup implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ClosingGroup.class);

    private record Part(String name, AutoCloseable part) {}

    private final List<Part> parts = new ArrayList<>();
    private boolean closed;

    /**
     * Adds a part and gives it back; one that comes after the close is closed at once.
     *
     * @param name for the log
     */
    public <T extends AutoCloseable> T add(String name, T part) {
        Part added = new Part(name, part);
        synchronized (this) {
            if (!closed) {
                parts.add(added);
                return part;
            }
        }
        close(added);
        return part;
    }

    /** Returns when all parts have stopped. */
    @Override
    public void close() {
        List<Part> all;
        synchronized (this) {
            closed = true;
            all = List.copyOf(parts);
            parts.clear();
        }
        // Platform threads: a class that is loaded while a part stops pins a virtual thread.
        try (ExecutorService atOnce = Executors.newCachedThreadPool()) {
            all.forEach(part -> atOnce.execute(() -> close(part)));
        }
    }

    private static void close(Part part) {
        long since = System.nanoTime();
        try {
            part.part().close();
        } catch (Exception e) {
            LOG.error("{} did not stop well", part.name(), e);
        }
        LOG.debug("{} stopped in {} ms", part.name(), (System.nanoTime() - since) / 1_000_000);
    }
}
