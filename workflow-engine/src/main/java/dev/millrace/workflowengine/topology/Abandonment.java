package dev.millrace.workflowengine.topology;

import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.schemas.record.WorkflowHead;
import dev.millrace.schemas.record.WorkflowPhase;
import dev.millrace.schemas.record.WorkflowStage;
import dev.millrace.workflowengine.core.Expiry;
import dev.millrace.workflowengine.state.WorkflowState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The end of a workflow that the core could not handle: Error, its steps stopped, its open nodes
 * ended.
 */
final class Abandonment {
    /** Nodes that are ended at a time, so that no record grows with the workflow. */
    static final int PORTION = 500;

    private Abandonment() {}

    /** Whether there is something to end. */
    static boolean concerns(WorkflowHead head) {
        return head.stage() != WorkflowStage.DONE && head.stage() != WorkflowStage.DELETED;
    }

    static List<WorkflowEvent> begin(WorkflowState state, String message, Instant now) {
        List<WorkflowEvent> events = new ArrayList<>(nodes(state, message, now));
        events.add(new WorkflowEvent.WorkDeferred(List.of()));
        events.add(new WorkflowEvent.WorkBlocked(List.of()));
        WorkflowHead head = state.head();
        if (head != null && head.lock() != null) {
            events.add(new WorkflowEvent.LocksReleased(head.holder(null)));
        }
        events.add(new WorkflowEvent.Finished(WorkflowPhase.ERROR, message, now));
        Expiry.timer(state.source(), WorkflowPhase.ERROR, now).ifPresent(events::add);
        return events;
    }

    /** A portion of the open nodes; empty when there is none. */
    static List<WorkflowEvent> nodes(WorkflowState state, String message, Instant now) {
        List<WorkflowEvent> events = new ArrayList<>();
        WorkflowHead head = state.head();
        for (String id : state.openNodes("", PORTION)) {
            Node node = state.node(id);
            if (node == null) {
                continue;
            }
            if (node.stepId() != null) {
                events.add(new WorkflowEvent.StepStopRequested(node.stepId(), id, message));
            }
            if (node.lock() != null && head != null) {
                events.add(new WorkflowEvent.LocksReleased(head.holder(id)));
            }
            events.add(
                    new WorkflowEvent.NodeFinished(
                            id, NodePhase.ERROR, message, node.outputs(), List.of(), now));
        }
        return events;
    }
}
