package dev.millrace.workflowengine.model;

/** What the core did first of what may happen in any order. */
interface Precedence {

    /** Whether it made a node. */
    boolean made(String name);

    /** Whether it let a node begin that had its locks. */
    boolean began(String name);

    /** Whether it ended a node. */
    boolean ended(String name);

    /** Where a node stands among those that hang below another one; the last if it does not. */
    int place(String above, String name);
}
