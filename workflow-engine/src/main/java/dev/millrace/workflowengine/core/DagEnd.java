package dev.millrace.workflowengine.core;

import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.NodeType;
import dev.millrace.schemas.record.Work;
import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.schemas.workflow.Outputs;
import dev.millrace.workflowengine.state.NodeLists;
import dev.millrace.workflowengine.state.Outbound;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The end of a DAG: when it is due, and what becomes of it. Many targets are looked at in portions.
 */
final class DagEnd {
    private static final int PORTION = Outbound.MANY;

    private DagEnd() {}

    /** Ends a DAG, if none of its tasks runs or may come. */
    static void assessWhenQuiet(Transition t, Node dag) {
        Called called = Calls.of(t, dag);
        assess(t, dag, called, t.graph(called));
    }

    static void assess(Transition t, Node dag, Called called, TaskGraph graph) {
        if (dag.fulfilled() || openBelow(t, dag)) {
            return;
        }
        if (DagRun.failFast(t, dag)) {
            endLoops(t, new Work.EndLoops(dag.id(), ""));
        } else {
            judge(t, dag, called, graph, new Work.JudgeDag(dag.id(), 0, NodePhase.SUCCEEDED));
        }
    }

    /** Whether tasks are open; a loop that is cut short by failFast counts only its items. */
    private static boolean openBelow(Transition t, Node dag) {
        if (dag.frame().open() == 0) {
            return false;
        }
        // After a stop loops end by themselves.
        if (!DagRun.failFast(t, dag) || t.shut(dag.exitHandler())) {
            return true;
        }
        Integer idle = dag.frame().idle();
        if (idle == null) {
            return openBelowByLooking(t, dag);
        }
        return idle < dag.frame().open();
    }

    /** Of a DAG that began before loops without open items were counted. */
    private static boolean openBelowByLooking(Transition t, Node dag) {
        int cut = 0;
        for (String id : t.state().openNodes()) {
            Node node = t.node(id);
            if (dag.id().equals(node.ownerId())
                    && !node.hooked()
                    && !WorkflowRetry.reopened(t, node)) {
                if (TaskGroupRun.isIdle(node)) {
                    cut++;
                } else if (!node.fulfilled()) {
                    return true;
                }
            }
        }
        return cut < dag.frame().open();
    }

    /**
     * Ends the loops that failFast cut short, a portion of the open nodes at a time; then the DAG.
     */
    static void endLoops(Transition t, Work.EndLoops work) {
        Node dag = t.node(work.dagId());
        if (dag.fulfilled() || openBelow(t, dag)) {
            return;
        }
        Integer idle = dag.frame().idle();
        boolean none = idle != null && idle == 0 && t.head().run() == 0;
        List<String> open = none ? List.of() : t.state().openNodes(work.after(), PORTION);
        for (String id : open) {
            Node node = t.node(id);
            if (dag.id().equals(node.ownerId()) && node.type() == NodeType.TASK_GROUP) {
                t.finish(node, NodePhase.FAILED, StepsRun.FAIL_FAST, null, List.of());
            }
        }
        if (open.size() == PORTION) {
            t.enqueueFirst(new Work.EndLoops(dag.id(), open.getLast()));
            t.exhaust();
        } else {
            Endings.end(t, dag, NodePhase.FAILED, StepsRun.FAIL_FAST, null, List.of());
        }
    }

    static void judge(Transition t, Work.JudgeDag judge) {
        Node dag = t.node(judge.dagId());
        Called called = Calls.of(t, dag);
        TaskGraph graph = t.graph(called);
        if (dag.fulfilled() || openBelow(t, dag)) {
            return;
        }
        if (DagRun.failFast(t, dag)) {
            assess(t, dag, called, graph);
        } else {
            judge(t, dag, called, graph, judge);
        }
    }

    private static void judge(
            Transition t, Node dag, Called called, TaskGraph graph, Work.JudgeDag judge) {
        if (t.shut(dag.exitHandler())) {
            end(t, dag, called, graph, new Work.EndDag(dag.id(), NodePhase.FAILED, 0));
            return;
        }
        switch (DagPhase.of(t, dag, graph, called.body().path("dag"), judge)) {
            case DagPhase.Verdict.Ends(var phase) ->
                    end(t, dag, called, graph, new Work.EndDag(dag.id(), phase, 0));
            case DagPhase.Verdict.More(var next) -> {
                t.enqueueFirst(next);
                t.exhaust();
            }
            case DagPhase.Verdict.Waits _ -> {}
        }
    }

    static void end(Transition t, Work.EndDag end) {
        Node dag = t.node(end.dagId());
        Called called = Calls.of(t, dag);
        if (!dag.fulfilled() && !openBelow(t, dag)) {
            end(t, dag, called, t.graph(called), end);
        }
    }

    private static void end(
            Transition t, Node dag, Called called, TaskGraph graph, Work.EndDag end) {
        List<String> targets = graph.targets();
        if (targets.size() <= PORTION) {
            end(t, dag, called, graph, end.phase(), outbound(t, dag, targets));
            return;
        }
        String list = NodeLists.outbound(dag.id());
        if (end.from() == 0 && t.state().childCount(list) > 0) {
            t.emit(new WorkflowEvent.ChildrenRemoved(list, List.of()));
        }
        int to = Math.min(targets.size(), end.from() + PORTION);
        outbound(t, dag, targets.subList(end.from(), to)).forEach(id -> t.addChild(list, id));
        if (to < targets.size()) {
            t.enqueueFirst(new Work.EndDag(dag.id(), end.phase(), to));
            t.exhaust();
        } else {
            end(t, dag, called, graph, end.phase(), List.of());
        }
    }

    private static void end(
            Transition t,
            Node dag,
            Called called,
            TaskGraph graph,
            NodePhase phase,
            List<String> outbound) {
        if (phase != NodePhase.SUCCEEDED) {
            Endings.end(t, dag, phase, null, null, outbound);
            return;
        }
        Outputs outputs;
        try {
            outputs =
                    Results.ofOrchestrator(
                            called, DagRun.variables(t, dag, called, graph.tasks().wanted()));
        } catch (CallException e) {
            Endings.end(t, dag, NodePhase.ERROR, e.getMessage(), null, outbound);
            return;
        }
        Endings.end(t, dag, NodePhase.SUCCEEDED, null, outputs, outbound);
    }

    private static List<String> outbound(Transition t, Node dag, List<String> targets) {
        Set<String> all = new LinkedHashSet<>();
        for (String target : targets) {
            Node node = t.find(dag.name() + "." + target);
            if (node != null) {
                all.addAll(Outbound.brief(t.state(), node));
            }
        }
        return List.copyOf(all);
    }
}
