package dev.millrace.workflowengine.core;

import dev.millrace.schemas.record.Inherited;
import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.NodeType;
import dev.millrace.schemas.record.Work;
import dev.millrace.workflowengine.state.Outbound;
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
    /** What the targets make of a DAG. */
    sealed interface Verdict {
        record Ends(NodePhase phase) implements Verdict {}

        /** A target may still come. */
        record Waits() implements Verdict {}

        record More(Work.JudgeDag next) implements Verdict {}
    }

    private record Arrival(String nodeId, NodePhase phase) {}

    private DagPhase() {}

    /**
     * What becomes of a DAG none of whose tasks runs: a portion of its targets.
     *
     * <p>A target that ended says so itself, and one that never ran noted what it inherits. So a
     * walk is needed only where that is not clear, or where a hook of the DAG's own runs.
     */
    static Verdict of(
            Transition t, Node dag, TaskGraph graph, JsonNode template, Work.JudgeDag judge) {
        if (dag.frame().openHooks() > 0) {
            return verdict(walk(t, dag, graph, template));
        }
        boolean failFast = template.path("failFast").asBoolean(true);
        // After a retry a target may be there already while another one is still to go on.
        boolean complete = t.head().run() == 0;
        NodePhase result = judge.phase();
        int to = Math.min(graph.targets().size(), judge.from() + Outbound.MANY);
        for (String target : graph.targets().subList(judge.from(), to)) {
            Node node = t.find(dag.name() + "." + target);
            NodePhase phase = node == null ? null : phase(node);
            if (phase == null && (node != null || !complete)) {
                return verdict(walk(t, dag, graph, template));
            }
            if (phase == null) {
                result = NodePhase.RUNNING;
                if (!failFast) {
                    return new Verdict.Waits();
                }
            } else if (phase.failedOrError()
                    && !(failFast && result.failedOrError())
                    && !tolerated(graph.task(target), phase)) {
                result = phase;
                if (failFast && complete) {
                    return new Verdict.Ends(phase);
                }
            }
        }
        return to < graph.targets().size()
                ? new Verdict.More(new Work.JudgeDag(dag.id(), to, result))
                : verdict(result);
    }

    private static Verdict verdict(NodePhase phase) {
        return phase.fulfilled() ? new Verdict.Ends(phase) : new Verdict.Waits();
    }

    /** The phase with which a target counts; null if only a walk can tell. */
    private static @Nullable NodePhase phase(Node target) {
        if (!Hanging.inherits(target)) {
            return target.ended() ? target.phase() : null;
        }
        Inherited inherited = target.frame().inherits();
        return switch (inherited) {
            case SUCCEEDED -> NodePhase.SUCCEEDED;
            case FAILED -> NodePhase.FAILED;
            case ERROR -> NodePhase.ERROR;
            case UNCLEAR -> null;
            case null -> null;
        };
    }

    private static NodePhase walk(Transition t, Node dag, TaskGraph graph, JsonNode template) {
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
