package dev.millrace.workflowengine.core;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.NodeType;
import dev.millrace.schemas.record.Work;
import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.schemas.workflow.Artifact;
import dev.millrace.schemas.workflow.Outputs;
import dev.millrace.schemas.workflow.Parameter;
import dev.millrace.schemas.workflow.Scalar;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What follows when a node comes to its end, whatever kind it is. */
final class Endings {

    private Endings() {}

    /** Ends a node and lets everything know that waits for it. */
    static void end(
            Transition t,
            Node node,
            NodePhase phase,
            @Nullable String message,
            @Nullable Outputs outputs,
            List<String> outbound) {
        String unfit = phase == NodePhase.SUCCEEDED ? Memoized.unfit(node, outputs) : null;
        NodePhase last = unfit == null ? phase : NodePhase.ERROR;
        String reason = unfit == null ? message : unfit;
        if (node.type() == NodeType.POD) {
            ContainerSetRun.close(t, node, last, reason);
        }
        Node ended = t.finish(node, last, reason, outputs, outbound);
        Slots.released(t, ended);
        LockRun.release(t, ended);
        cancelTimers(t, ended);
        Emissions.ended(t, ended);
        export(t, ended);
        Memoized.save(t, ended);
        Daemons.boundaryEnded(t, ended);
        if (node.daemoned()) {
            Daemons.ended(t, ended);
        } else {
            fulfilled(t, ended);
        }
    }

    /** No timer of a node outlives it. */
    private static void cancelTimers(Transition t, Node node) {
        if (node.type() == NodeType.SUSPEND
                && !Calls.member(t, node, "suspend").path("duration").isMissingNode()) {
            t.emit(new WorkflowEvent.TimerCancelled(LeafRun.SUSPEND_TIMER + node.id()));
        }
        if ((node.stepId() != null || node.lock() != null)
                && !(Calls.member(t, node, "timeout").isMissingNode()
                        && Calls.member(t, node, "pendingTimeout").isMissingNode())) {
            t.emit(new WorkflowEvent.TimerCancelled(LeafRun.PENDING_TIMER + node.id()));
        }
    }

    /** A node is fulfilled: hooks first, then its owner. */
    static void fulfilled(Transition t, Node node) {
        if (node.phase().failedOrError() && node.boundaryId() != null) {
            Node boundary = t.node(node.boundaryId());
            if (!boundary.frame().troubled()) {
                t.frame(boundary.id(), boundary.frame().withTroubled());
            }
        }
        if (HookRun.concerns(node)) {
            HookRun.look(t, node);
        }
        Node now = t.node(node.id());
        if (now.frame().openHooks() == 0) {
            t.enqueue(new Work.Settled(node.id()));
        }
    }

    /** Outputs with a {@code globalName} become variables of the workflow; the last writer wins. */
    static void export(Transition t, Node node) {
        Outputs outputs = node.outputs();
        if (outputs == null) {
            return;
        }
        globalNames(t, node, "parameters")
                .forEach(
                        (name, exported) ->
                                outputs.parameters().stream()
                                        .filter(p -> p.name().equals(name) && p.value() != null)
                                        .forEach(p -> t.emit(parameter(exported, p.value()))));
        globalNames(t, node, "artifacts")
                .forEach(
                        (name, exported) ->
                                outputs.artifacts().stream()
                                        .filter(a -> a.name().equals(name))
                                        .forEach(a -> t.emit(artifact(exported, a))));
    }

    private static WorkflowEvent parameter(String name, @Nullable Scalar value) {
        return new WorkflowEvent.OutputExported(
                new Parameter(name, value, null, null, null, null, null));
    }

    private static WorkflowEvent artifact(String name, Artifact artifact) {
        ObjectNode tree = (ObjectNode) Json.tree(artifact);
        tree.remove(List.of("globalName", "path", "optional"));
        tree.put("name", name);
        return new WorkflowEvent.ArtifactExported(Json.convert(tree, Artifact.class));
    }

    /** The declared outputs that have one, by their own names; tags in it are replaced. */
    private static Map<String, String> globalNames(Transition t, Node node, String kind) {
        JsonNode declared = Calls.member(t, node, "outputs").path(kind);
        Map<String, String> names = read(declared);
        return names.values().stream().anyMatch(n -> n.contains("{{"))
                ? read(Calls.of(t, node).body().path("outputs").path(kind))
                : names;
    }

    private static Map<String, String> read(JsonNode declared) {
        Map<String, String> names = new LinkedHashMap<>();
        for (JsonNode output : declared) {
            String globalName = output.path("globalName").asString("");
            if (!globalName.isEmpty()) {
                names.put(output.path("name").asString(""), globalName);
            }
        }
        return names;
    }
}
