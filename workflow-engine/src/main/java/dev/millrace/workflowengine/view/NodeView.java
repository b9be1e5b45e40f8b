package dev.millrace.workflowengine.view;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.NodeType;
import dev.millrace.schemas.workflow.Inputs;
import dev.millrace.schemas.workflow.Outputs;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** One entry of {@code status.nodes}. */
public final class NodeView {
    /** Types that do some work themselves, and so count in the progress. */
    static final Set<NodeType> EXECUTABLE =
            Set.of(
                    NodeType.POD,
                    NodeType.HTTP,
                    NodeType.PLUGIN,
                    NodeType.CONTAINER,
                    NodeType.SUSPEND);

    private NodeView() {}

    /**
     * Renders a node.
     *
     * @param children ids of its children
     * @param outbound ids of its outbound nodes
     * @param sums what was done below it and after it
     */
    static ObjectNode render(Node node, List<String> children, List<String> outbound, Sums sums) {
        ObjectNode view = Json.object();
        view.put("id", node.id());
        view.put("name", node.name());
        view.put("displayName", node.displayName());
        view.set("type", Json.tree(node.type()));
        if (node.templateName() != null) {
            view.put("templateName", node.templateName());
        }
        if (node.templateRef() != null) {
            view.set("templateRef", Json.tree(node.templateRef()));
        }
        view.put("templateScope", node.templateScope());
        view.set("phase", Json.tree(node.phase()));
        if (node.boundaryId() != null) {
            view.put("boundaryID", node.boundaryId());
        }
        if (node.message() != null && !node.message().isEmpty()) {
            view.put("message", node.message());
        }
        view.put("startedAt", time(node.startedAt()));
        if (node.finishedAt() != null) {
            view.put("finishedAt", time(node.finishedAt()));
        }
        sums.show(view);
        if (node.nodeFlag() != null) {
            view.set("nodeFlag", Json.tree(node.nodeFlag()));
        }
        inputs(view, node.inputs());
        outputs(view, node.outputs());
        if (!children.isEmpty()) {
            view.set("children", Json.tree(children));
        }
        if (!outbound.isEmpty()) {
            view.set("outboundNodes", Json.tree(outbound));
        }
        if (node.hostNodeName() != null) {
            view.put("hostNodeName", node.hostNodeName());
        }
        if (node.memoization() != null) {
            view.putObject("memoizationStatus")
                    .put("hit", Boolean.TRUE.equals(node.memoization().hit()))
                    .put("key", node.memoization().key())
                    .put("cacheName", node.memoization().cacheName());
        }
        if (node.daemon() != null) {
            view.put("podIP", node.daemon().address());
            if (node.daemoned()) {
                view.put("daemoned", true);
            }
        }
        if (node.awaitsLocks() && node.lock() != null && node.lock().waiting() != null) {
            view.putObject("synchronizationStatus").put("waiting", node.lock().waiting());
        }
        if (node.type() == NodeType.POD
                && node.stepId() != null
                && node.ended()
                && node.daemon() == null) {
            view.put("taskResultSynced", true);
        }
        return view;
    }

    private static void inputs(ObjectNode view, @Nullable Inputs inputs) {
        if (inputs != null && !(inputs.parameters().isEmpty() && inputs.artifacts().isEmpty())) {
            view.set("inputs", Json.tree(inputs));
        }
    }

    private static void outputs(ObjectNode view, @Nullable Outputs outputs) {
        if (outputs != null) {
            view.set("outputs", Json.tree(outputs));
        }
    }

    /** An instant as clients expect it: RFC 3339, whole seconds, UTC. */
    public static String time(Instant instant) {
        return DateTimeFormatter.ISO_INSTANT.format(instant.truncatedTo(ChronoUnit.SECONDS));
    }

    /** The progress of an executable node by itself. */
    static int[] own(Node node) {
        boolean done = node.phase() == NodePhase.SUCCEEDED;
        if (node.progress() != null && node.progress().matches("\\d{1,9}/\\d{1,9}")) {
            String[] parts = node.progress().split("/", 2);
            int total = Integer.parseInt(parts[1]);
            return new int[] {done ? total : Integer.parseInt(parts[0]), total};
        }
        return new int[] {done ? 1 : 0, 1};
    }
}
