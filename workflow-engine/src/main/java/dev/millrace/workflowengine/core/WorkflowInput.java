package dev.millrace.workflowengine.core;

import dev.millrace.schemas.record.StepReport;
import dev.millrace.schemas.record.WorkflowCommand;

/** What the core decides about. */
public sealed interface WorkflowInput {

    /** Somebody wants something. */
    record Command(WorkflowCommand command) implements WorkflowInput {}

    /** An executor says what became of a step. */
    record Report(StepReport report) implements WorkflowInput {}

    /** A timer that the core set is due. */
    record TimerFired(String timerId) implements WorkflowInput {}

    /** The workflow's turn to go on with what an earlier transition left. */
    record Continue() implements WorkflowInput {}
}
