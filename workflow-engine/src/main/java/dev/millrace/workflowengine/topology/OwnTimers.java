package dev.millrace.workflowengine.topology;

/** Timers that the shell sets for itself; those of the core have other names. */
final class OwnTimers {
    /** The workflow's turn to go on with what an earlier transition left. */
    static final String CONTINUE = "~continue";

    /** Go on erasing the records of a deleted incarnation. */
    static final String ERASE = "~erase";

    /** The name of a deleted workflow has been kept for long enough. */
    static final String FORGET = "~forget";

    /** The answer to a command for a workflow that does not exist has been kept for long enough. */
    static final String REJECTED = "~rejected";

    /** Go on ending the nodes of a workflow that could not be handled. */
    static final String ABANDON = "~abandon";

    /** Parts of a submission that did not follow are of no use any more. */
    static final String UPLOADS = "~uploads";

    private OwnTimers() {}
}
