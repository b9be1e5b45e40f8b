package dev.millrace.workflowengine.topology;

/**
 * Which transitions of a workflow the log holds.
 *
 * @param last number of the last transition; 0 if there is none
 * @param first lowest number whose record was not erased
 * @param eraseBelow records with lower numbers belong to incarnations that were deleted
 */
record WrittenLog(long last, long first, long eraseBelow) {
    static final WrittenLog EMPTY = new WrittenLog(0, 1, 0);

    WrittenLog next() {
        return new WrittenLog(last + 1, first, eraseBelow);
    }

    /** The last transition deletes the workflow: it stays, all before it go. */
    WrittenLog deleted() {
        return new WrittenLog(last, first, last);
    }

    WrittenLog erasedUpTo(long end) {
        return new WrittenLog(last, end, eraseBelow);
    }

    boolean toErase() {
        return first < eraseBelow;
    }
}
