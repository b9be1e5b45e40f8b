package dev.millrace.workflowengine.topology;

import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.workflowengine.core.WorkflowInput;
import dev.millrace.workflowengine.state.WorkflowState;
import java.time.Instant;
import java.util.List;

/** The core as its shell sees it; tests put recorders and faults in its place. */
@FunctionalInterface
interface Decisions {
    List<WorkflowEvent> decide(
            WorkflowState state, String namespace, String name, WorkflowInput input, Instant now);
}
