package dev.millrace.workflowengine.model;

/** What the core did first of what may happen in any order. */
interface Precedence {

    /** Whether it made a node. */
    boolean made(String name);

    /** Whether it let a node begin that had its locks. */
    boolean began(String name);

    /** Whether it ended a node. */
    boolean ended(String name);

    /** How many nodes it made before a node; the largest number if it did not make it. */
    int since(String name);

    /** Where a node stands among those that hang below another one; the last if it does not. */
    int place(String above, String name);
}
