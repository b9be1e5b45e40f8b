package dev.millrace.workflowengine.locks;

import dev.millrace.schemas.record.LockHolder;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A holder that has its locks, or waits for them.
 *
 * @param number grows with each request; among those of one workflow the earlier request goes first
 * @param awaited the lock that the holder was told to wait for
 * @param told what it was told about it
 */
public record LockClaimant(
        LockHolder holder,
        List<String> locks,
        int priority,
        Instant createdAt,
        long number,
        boolean granted,
        @Nullable String awaited,
        @Nullable String told) {

    /** Who goes first. */
    static final Comparator<LockClaimant> FIRST =
            Comparator.comparingInt(LockClaimant::priority)
                    .reversed()
                    .thenComparing(LockClaimant::createdAt)
                    .thenComparingLong(LockClaimant::number);

    public LockClaimant {
        locks = List.copyOf(locks);
    }

    String id() {
        return holder.id();
    }

    /** Whether it is a workflow of which only so many run. */
    boolean needsSlots() {
        return !locks.isEmpty() && WorkflowLimits.isSlot(locks.getFirst());
    }

    LockClaimant asGranted() {
        return new LockClaimant(holder, locks, priority, createdAt, number, true, null, null);
    }

    LockClaimant asTold(String lock, String message) {
        return new LockClaimant(holder, locks, priority, createdAt, number, granted, lock, message);
    }
}
