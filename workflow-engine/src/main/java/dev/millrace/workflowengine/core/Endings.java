package dev.millrace.workflowengine.core;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.NodeType;
import dev.millrace.schemas.record.Work;
import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.schemas.workflow.Outputs;
import dev.millrace.schemas.workflow.Parameter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

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
        if (node.type() == NodeType.POD) {
            ContainerSetRun.close(t, node, phase, message);
        }
        Node ended = t.finish(node, phase, message, outputs, outbound);
        Slots.released(t, ended);
        cancelTimers(t, ended);
        export(t, ended);
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
        if (node.stepId() != null
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
    private static void export(Transition t, Node node) {
        Outputs outputs = node.outputs();
        if (outputs == null || outputs.parameters().isEmpty()) {
            return;
        }
        for (JsonNode declared : Calls.member(t, node, "outputs").path("parameters")) {
            String globalName = declared.path("globalName").asString("");
            if (globalName.isEmpty()) {
                continue;
            }
            String name = Json.convert(declared, Parameter.class).name();
            String exported =
                    globalName.contains("{{") ? resolvedGlobalName(t, node, name) : globalName;
            outputs.parameters().stream()
                    .filter(p -> p.name().equals(name) && p.value() != null)
                    .forEach(
                            p ->
                                    t.emit(
                                            new WorkflowEvent.OutputExported(
                                                    new Parameter(
                                                            exported, p.value(), null, null, null,
                                                            null, null))));
        }
    }

    private static String resolvedGlobalName(Transition t, Node node, String parameter) {
        Outputs declared = Calls.of(t, node).template().outputs();
        return declared == null
                ? parameter
                : declared.parameters().stream()
                        .filter(p -> p.name().equals(parameter) && p.globalName() != null)
                        .map(Parameter::globalName)
                        .findFirst()
                        .orElse(parameter);
    }
}
