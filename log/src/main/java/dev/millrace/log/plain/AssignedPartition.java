package dev.millrace.log.plain;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * A partition while a worker has it: its records by key in lanes, and how far they are done. Once
 * dropped (revoked, closed) nothing new is begun; the next owner gets what is not done.
 */
final class AssignedPartition {

    private final CountDownLatch dropped = new CountDownLatch(1);
    private final Map<String, ArrayDeque<ConsumerRecord<String, byte[]>>> lanes = new HashMap<>();
    private final boolean keepKeyOrder;
    private @Nullable PartitionProgress progress;
    private int running;

    AssignedPartition(boolean keepKeyOrder) {
        this.keepKeyOrder = keepKeyOrder;
    }

    /**
     * Takes a record up.
     *
     * @return the lane that needs a thread now, or null if one is already at work on it
     */
    synchronized @Nullable String add(ConsumerRecord<String, byte[]> record) {
        if (progress == null) {
            progress = new PartitionProgress(record.offset());
        }
        progress.started(record.offset());
        // Without a key, or where order is nobody's wish, each record is a lane of its own.
        String lane =
                keepKeyOrder && record.key() != null ? "k" + record.key() : "o" + record.offset();
        ArrayDeque<ConsumerRecord<String, byte[]>> waiting = lanes.get(lane);
        if (waiting != null) {
            waiting.add(record);
            return null;
        }
        waiting = new ArrayDeque<>();
        waiting.add(record);
        lanes.put(lane, waiting);
        return lane;
    }

    /**
     * The next record of a lane, counted as running; null when the lane is empty or all is dropped.
     */
    synchronized @Nullable ConsumerRecord<String, byte[]> begin(String lane) {
        ArrayDeque<ConsumerRecord<String, byte[]>> waiting = lanes.get(lane);
        if (waiting == null || waiting.isEmpty() || isDropped()) {
            lanes.remove(lane);
            return null;
        }
        running++;
        return waiting.poll();
    }

    synchronized void end(ConsumerRecord<String, byte[]> record, boolean done) {
        running--;
        if (done && progress != null) {
            progress.done(record.offset());
        }
        notifyAll();
    }

    synchronized void passed(long position) {
        if (progress != null) {
            progress.passed(position);
        }
    }

    /** The offset to commit, or -1 if the last commit still stands. */
    synchronized long committable() {
        return progress != null && progress.hasNews() ? progress.committable() : -1;
    }

    synchronized void committed(long offset) {
        if (progress != null) {
            progress.committed(offset);
        }
    }

    synchronized int inFlight() {
        return progress == null ? 0 : progress.inFlight();
    }

    void drop() {
        dropped.countDown();
    }

    boolean isDropped() {
        return dropped.getCount() == 0;
    }

    /** Sleeps, but not beyond a drop. */
    @SuppressWarnings("ReturnValueIgnored") // both ends of the wait lead to another look
    void pause(Duration pause) throws InterruptedException {
        dropped.await(pause.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Waits until no handler runs any more; false if the time is up first. */
    synchronized boolean awaitIdle(long deadlineNanos) throws InterruptedException {
        while (running > 0) {
            long left = deadlineNanos - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            wait(left / 1_000_000, (int) (left % 1_000_000));
        }
        return true;
    }
}
