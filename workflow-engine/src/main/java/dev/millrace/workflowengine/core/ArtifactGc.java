package dev.millrace.workflowengine.core;

import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.StepReport;
import dev.millrace.schemas.record.Work;
import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.schemas.record.WorkflowStage;
import dev.millrace.schemas.workflow.Artifact;
import dev.millrace.workflowengine.state.ArtifactGcStrategy;
import java.util.List;

/**
 * Artifacts that are not kept: some go when the workflow has ended, others when it is deleted. Each
 * is given up once; its node remembers that it is gone.
 */
final class ArtifactGc {
    private static final int PORTION = 200;

    private ArtifactGc() {}

    /** Whether something of the workflow goes at its end. */
    static boolean concerns(Transition t) {
        return ArtifactGcStrategy.declared(t.source()).contains(ArtifactGcStrategy.ON_COMPLETION);
    }

    /** Gives up a portion of what goes at the end. */
    static void atEnd(Transition t, String after) {
        if (t.head().stage() != WorkflowStage.COMPLETING) {
            return;
        }
        List<String> portion = t.state().nodes(after, PORTION);
        portion.forEach(id -> request(t, t.node(id), List.of(ArtifactGcStrategy.ON_COMPLETION)));
        if (portion.size() == PORTION) {
            t.enqueueFirst(new Work.DiscardArtifacts(portion.getLast()));
            t.exhaust();
        }
    }

    /** A node came to its end when what goes at the end of the workflow was given up already. */
    static void afterEnd(Transition t, String nodeId) {
        if (t.head().stage() == WorkflowStage.COMPLETING && concerns(t)) {
            request(t, t.node(nodeId), List.of(ArtifactGcStrategy.ON_COMPLETION));
        }
    }

    /** Gives up what a node of a deleted workflow still has. */
    static void onDeletion(Transition t, Node node) {
        request(t, node, List.of(ArtifactGcStrategy.ON_COMPLETION, ArtifactGcStrategy.ON_DELETION));
    }

    private static void request(Transition t, Node node, List<ArtifactGcStrategy> strategies) {
        // Nodes above a leaf only name what the leaf stored.
        if (node.stepId() == null || node.outputs() == null) {
            return;
        }
        List<Artifact> gone =
                node.outputs().artifacts().stream()
                        .filter(a -> !Boolean.TRUE.equals(a.deleted()))
                        .filter(Locations::deletable)
                        .filter(a -> strategies.contains(ArtifactGcStrategy.of(t.source(), a)))
                        .toList();
        if (!gone.isEmpty()) {
            t.emit(new WorkflowEvent.ArtifactsDiscardRequested(node.stepId(), node.id(), gone));
        }
    }

    /** An executor said what became of artifacts that were given up. */
    static void discarded(Transition t, StepReport.Discarded report) {
        Node node = t.state().node(report.nodeId());
        if (node != null && report.stepId().equals(node.stepId())) {
            t.emit(
                    new WorkflowEvent.ArtifactsDiscarded(
                            node.id(), report.artifacts(), report.error()));
        }
    }
}
