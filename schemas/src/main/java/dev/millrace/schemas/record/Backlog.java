package dev.millrace.schemas.record;

/**
 * Work that waits, beyond the first of it: it lies in a list of its own, in order.
 *
 * @param taken so many of the list are not in it any more
 * @param size so many were put into the list
 */
public record Backlog(int taken, int size) {

    /** How many still wait. */
    public int left() {
        return size - taken;
    }
}
