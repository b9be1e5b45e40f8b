package dev.millrace.workflowengine.validation;

/** The variables that a tag at some place can be. */
@FunctionalInterface
interface Known {
    boolean knows(String variable);

    default Known or(Known other) {
        return variable -> knows(variable) || other.knows(variable);
    }
}
