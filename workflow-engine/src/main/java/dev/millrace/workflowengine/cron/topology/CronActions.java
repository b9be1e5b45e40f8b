package dev.millrace.workflowengine.cron.topology;

import dev.millrace.log.plain.InfrastructureException;
import dev.millrace.schemas.record.CronOrder;

/**
 * Carries out orders of CronWorkflows. Every call may be repeated with the same command id, after a
 * crash for instance: a repeat does nothing new.
 */
public interface CronActions {

    /** What became of a workflow that was to start. */
    sealed interface Outcome {

        /** It started, now or when the same command came for the first time. */
        record Started() implements Outcome {}

        /** There is a workflow of this name already. */
        record Exists() implements Outcome {}

        /** It is refused, and would be again. */
        record Refused(String reason) implements Outcome {}
    }

    /**
     * Starts the workflow of a scheduled time.
     *
     * @throws InfrastructureException if the log or the engine is late: it is tried again
     */
    Outcome submit(CronOrder.Submit order);

    /**
     * Terminates a workflow; nothing happens if it has ended or is gone.
     *
     * @throws InfrastructureException as above
     */
    void terminate(CronOrder.Terminate order);

    /**
     * Deletes a workflow; nothing happens if it is gone.
     *
     * @throws InfrastructureException as above
     */
    void delete(CronOrder.Delete order);
}
