package dev.millrace.triggers.action;

/**
 * How an attempt to carry out a trigger ended. What the log or a broker does wrong is an exception
 * instead.
 */
public sealed interface DispatchOutcome {

    /**
     * It is done.
     *
     * @param detail for the decision, such as the status of an answer
     */
    record Succeeded(String detail) implements DispatchOutcome {}

    /** It is not done; another attempt may do it. */
    record Failed(String message) implements DispatchOutcome {}

    /** It will never be done as the manifest stands: no other attempt is made. */
    record Refused(String message) implements DispatchOutcome {}
}
