package dev.millrace.workflowengine.core;

import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.NodeType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What becomes of a DAG. A walk along the children carries the phase of the branch: a node that
 * completed replaces it, one that was skipped or omitted inherits it, so an omitted target has the
 * failure of its ancestor.
 */
final class DagPhase {
    private record Arrival(String nodeId, NodePhase phase) {}

    private DagPhase() {}

    /**
     * The phase of a DAG none of whose tasks runs.
     *
     * @return {@code RUNNING} while a target that has no node yet may still come
     */
    static NodePhase of(Transition t, Node dag, TaskGraph graph, JsonNode template) {
        if (t.head().run() == 0 && dag.frame().openHooks() == 0 && allSucceeded(t, dag, graph)) {
            return NodePhase.SUCCEEDED;
        }
        Map<String, NodePhase> targets = new HashMap<>();
        Set<String> targetIds = new HashSet<>();
        graph.targets().forEach(target -> targetIds.add(t.id(dag.name() + "." + target)));
        Deque<Arrival> queue = new ArrayDeque<>();
        Set<Arrival> seen = new HashSet<>();
        t.state().children(dag.id()).forEach(c -> queue.add(new Arrival(c, NodePhase.SUCCEEDED)));
        while (!queue.isEmpty()) {
            Arrival arrival = queue.poll();
            if (!seen.add(arrival)) {
                continue;
            }
            Node node = t.node(arrival.nodeId());
            if (WorkflowRetry.leftBehind(t, node)) {
                continue;
            }
            if (!node.fulfilled()) {
                return NodePhase.RUNNING;
            }
            NodePhase branch = node.phase().completed() ? node.phase() : arrival.phase();
            if (targetIds.contains(node.id())) {
                targets.merge(
                        node.id(), branch, (known, next) -> known.failedOrError() ? known : next);
            }
            children(t, node).forEach(c -> queue.add(new Arrival(c, branch)));
        }
        boolean failFast = template.path("failFast").asBoolean(true);
        NodePhase result = NodePhase.SUCCEEDED;
        for (String target : graph.targets()) {
            NodePhase phase = targets.get(t.id(dag.name() + "." + target));
            if (phase == null) {
                result = NodePhase.RUNNING;
                if (!failFast) {
                    break;
                }
            } else if (phase.failedOrError() && !tolerated(graph.task(target), phase)) {
                result = phase;
                if (failFast) {
                    break;
                }
            }
        }
        return result;
    }

    /**
     * A target that succeeded itself inherits nothing, so that there is no need to walk, but for a
     * hook of the DAG's own that runs.
     */
    private static boolean allSucceeded(Transition t, Node dag, TaskGraph graph) {
        for (String target : graph.targets()) {
            Node node = t.find(dag.name() + "." + target);
            if (node == null || node.phase() != NodePhase.SUCCEEDED) {
                return false;
            }
        }
        return true;
    }

    /**
     * Of the attempts of a Retry node only what hangs below the last one; its hooks and what hangs
     * below it as usual.
     */
    private static List<String> children(Transition t, Node node) {
        List<String> children = t.state().children(node.id());
        if (node.type() != NodeType.RETRY) {
            return children;
        }
        List<String> walked = new ArrayList<>();
        String lastAttempt = null;
        for (String id : children) {
            if (t.node(id).attempt()) {
                lastAttempt = id;
                // What waited for a daemon hangs below the attempt that was the first to be ready.
                if (node.daemon() != null) {
                    walked.addAll(t.state().children(id));
                }
            } else {
                walked.add(id);
            }
        }
        if (lastAttempt != null && node.daemon() == null) {
            walked.addAll(t.state().children(lastAttempt));
        }
        return walked;
    }

    private static boolean tolerated(@Nullable JsonNode task, NodePhase phase) {
        return task != null
                && task.path("continueOn")
                        .path(phase == NodePhase.FAILED ? "failed" : "error")
                        .asBoolean(false);
    }
}
