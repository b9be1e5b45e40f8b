package dev.millrace.workflowengine.core;

import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.StepReport;
import dev.millrace.schemas.record.Work;
import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.schemas.record.WorkflowStage;
import dev.millrace.schemas.workflow.Artifact;
import dev.millrace.workflowengine.state.ArtifactGcStrategy;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/**
 * Artifacts that are not kept: some go when the workflow has ended, others when it is deleted. Each
 * is given up once; its node remembers that it is gone.
 */
final class ArtifactGc {
    private static final int PORTION = 200;

    private static final List<ArtifactGcStrategy> AT_END =
            List.of(ArtifactGcStrategy.ON_COMPLETION);

    private static final List<ArtifactGcStrategy> NOT_KEPT =
            List.of(ArtifactGcStrategy.ON_COMPLETION, ArtifactGcStrategy.ON_DELETION);

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
        portion.forEach(id -> request(t, t.node(id), AT_END, _ -> true));
        if (portion.size() == PORTION) {
            t.enqueueFirst(new Work.DiscardArtifacts(portion.getLast()));
            t.exhaust();
        }
    }

    /** A node came to its end when what goes at the end of the workflow was given up already. */
    static void afterEnd(Transition t, String nodeId) {
        if (t.head().stage() == WorkflowStage.COMPLETING && concerns(t)) {
            request(t, t.node(nodeId), AT_END, _ -> true);
        }
    }

    /** Gives up what a node of a deleted workflow still has. */
    static void onDeletion(Transition t, Node node) {
        request(t, node, NOT_KEPT, _ -> true);
    }

    /**
     * Gives up what a node still has that a retry removes. What has a key of its own stays: the
     * next run stores it in the same place.
     */
    static void onRemoval(Transition t, Node node) {
        Set<String> named = new HashSet<>();
        for (JsonNode output : Calls.member(t, node, "outputs").path("artifacts")) {
            if (!Locations.key(output).isEmpty()) {
                named.add(output.path("name").asString(""));
            }
        }
        request(t, node, NOT_KEPT, a -> !named.contains(a.name()));
    }

    private static void request(
            Transition t,
            Node node,
            List<ArtifactGcStrategy> strategies,
            Predicate<Artifact> which) {
        // Nodes above a leaf only name what the leaf stored.
        if (node.stepId() == null || node.outputs() == null) {
            return;
        }
        List<Artifact> gone =
                node.outputs().artifacts().stream()
                        .filter(a -> !Boolean.TRUE.equals(a.deleted()))
                        .filter(Locations::deletable)
                        .filter(which)
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
