package dev.millrace.schemas.record;

/**
 * Marks a node for the retry of its workflow.
 *
 * @param run the run that it is marked for; an older mark means nothing
 * @param whole whether the node goes with all below it; else something below it is done again
 */
public record Redo(int run, boolean whole) {}
