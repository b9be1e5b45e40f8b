package dev.millrace.workflowengine.locks;

/** How many can have a lock at a time, as far as it is known. */
public sealed interface LockLimit {

    /**
     * @param most 0 lets nobody have it
     */
    record Known(int most) implements LockLimit {}

    /** There is no such number; nobody gets the lock until there is one. */
    record Broken(String message) implements LockLimit {}
}
