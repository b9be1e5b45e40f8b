package dev.millrace.log.plain;

import java.util.TreeSet;

/**
 * Which records of a partition are done, in whatever order, and up to where that makes a
 * committable offset. Not thread-safe: its owner guards it.
 */
final class PartitionProgress {

    private final TreeSet<Long> open = new TreeSet<>();
    private long next;
    private long committed;

    /**
     * @param next the first offset that will be read
     */
    PartitionProgress(long next) {
        this.next = next;
        this.committed = next;
    }

    /** A record was taken up. */
    void started(long offset) {
        open.add(offset);
        next = Math.max(next, offset + 1);
    }

    /** A record is done. */
    void done(long offset) {
        open.remove(offset);
    }

    /** The reader went past offsets that hold no record for it: ends of transactions. */
    void passed(long position) {
        next = Math.max(next, position);
    }

    /** Everything below is done. */
    long committable() {
        return open.isEmpty() ? next : open.first();
    }

    boolean hasNews() {
        return committable() > committed;
    }

    void committed(long offset) {
        committed = Math.max(committed, offset);
    }

    int inFlight() {
        return open.size();
    }
}
