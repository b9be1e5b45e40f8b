package dev.millrace.workflowengine.locks;

import dev.millrace.schemas.record.LockHolder;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the machine decided. State changes only by these. */
public sealed interface LockEvent {

    /** Somebody wants locks, and waits. */
    record Asked(LockClaimant claimant) implements LockEvent {}

    /** A claimant has all of its locks. */
    record Granted(LockHolder holder) implements LockEvent {}

    /** A claimant is told what it waits for. */
    record Awaited(LockHolder holder, String lock, String message) implements LockEvent {}

    /** A claimant cannot have its locks, and is forgotten. */
    record Refused(LockHolder holder, String message) implements LockEvent {}

    /** A claimant gave its locks back, or wants them no more. */
    record Released(LockHolder holder) implements LockEvent {}

    /**
     * The values of a ConfigMap.
     *
     * @param data absent if it is gone
     */
    record LimitsSet(String namespace, String configMap, @Nullable Map<String, String> data)
            implements LockEvent {}

    /** Effect: tell the holder again what it was told last. */
    record ToldAgain(LockClaimant claimant) implements LockEvent {}

    /** Effect: look at this claimant again, soon. A limit that it needs is not there. */
    record LimitMissing(LockHolder holder) implements LockEvent {}

    /** Effect: go on granting. */
    record GrantsLeft() implements LockEvent {}

    /** Effect: go on telling, after the holder of this id. */
    record TellingLeft(String after) implements LockEvent {}
}
