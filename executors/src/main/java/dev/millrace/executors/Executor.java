package dev.millrace.executors;

import dev.millrace.schemas.record.StepCommand;
import dev.millrace.schemas.record.StepReport;
import dev.millrace.schemas.record.StepSpec;
import dev.millrace.schemas.record.WorkflowRef;
import java.util.List;

/**
 * Runs steps. A step of an id runs at most once, however often it is started, and its end is
 * reported at least once.
 *
 * <p>The order of calls: {@link #recover} once, then the others from any thread, then {@link
 * #close}.
 */
public interface Executor {
    /**
     * Finds what an earlier executor of the same place left: reports what finished meanwhile, goes
     * on watching what runs, starts what never started, and reports as lost what can no longer be
     * found.
     *
     * @param sink where all reports go, from now until the end, from any thread
     */
    void recover(ReportSink sink);

    /**
     * Accepts a step to be run as soon as there is room. When this returns, the step is remembered
     * over a crash, so the caller may forget it. A step that was accepted before is not run again;
     * if it has finished, its end is reported again.
     *
     * @throws java.io.UncheckedIOException if the step could not be remembered; nothing was started
     */
    void start(StepSpec spec);

    /**
     * Ends a step gently and, after the grace period, by force. Its end is reported as Failed with
     * the reason. A step that is not known is reported as Error, for somebody waits for its end;
     * one that has finished is reported again as it was.
     */
    void stop(StepCommand.Stop stop);

    /**
     * Ends a step without a report if it still runs, and removes all that is kept of it, its log
     * included.
     */
    void forget(String stepId);

    /**
     * Removes what is kept under claims of a workflow, if anything is; no step that is still to
     * come uses them.
     *
     * @param claims names in the namespace of the workflow
     */
    void releaseClaims(WorkflowRef workflow, List<String> claims);

    /**
     * Deletes artifacts that a step stored; blocks until they are gone or cannot be removed. It may
     * be asked for again.
     *
     * @return what is gone, one that was gone before included, and why others are not
     */
    StepReport.Discarded discard(StepCommand.DiscardArtifacts discard);

    /**
     * What a person should know about how steps run here, as full sentences; the first line is a
     * summary.
     */
    String describe();

    /**
     * Ends the executor.
     *
     * @param keepSteps whether running steps go on, for the next executor to adopt; else all their
     *     processes are ended, and the next executor reports them as failed
     */
    void close(boolean keepSteps);
}
