package dev.millrace.workflowengine.core;

import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.Work;
import dev.millrace.workflowengine.state.Outbound;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Tasks that wait for very many others. The DAG keeps, for each of them, how far down its list all
 * is known to be done, so that a dependency is looked at when the one before it is done and not
 * whenever one is. Then their condition is weighed, and they are hung below what they waited for, a
 * portion at a time.
 */
final class ManyDependencies {
    private static final int PORTION = Outbound.MANY;

    private ManyDependencies() {}

    /** Whether a task waits for very many. */
    static boolean has(TaskGraph graph, String task) {
        return graph.dependencies(task).size() > PORTION;
    }

    /** False if the one is not done that was not done when somebody looked last. */
    static boolean mayBeDone(Transition t, Node dag, TaskGraph graph, String task) {
        int known = known(dag, task);
        List<String> dependencies = graph.dependencies(task);
        return known >= dependencies.size() || DagRun.settled(t, dag, dependencies.get(known));
    }

    private static int known(Node dag, String task) {
        return dag.frame().awaits().getOrDefault(task, 0);
    }

    /** Goes down the list as far as all is done; a task with nothing before it any more starts. */
    static void await(Transition t, Work.Await await) {
        Node dag = t.node(await.start().dagId());
        if (dag.fulfilled()) {
            return;
        }
        TaskGraph graph = t.graph(Calls.of(t, dag));
        String task = DagRun.name(t, dag, await.start());
        List<String> dependencies = graph.dependencies(task);
        int before = known(dag, task);
        int end = Math.min(dependencies.size(), before + PORTION);
        int next = before;
        while (next < end && DagRun.settled(t, dag, dependencies.get(next))) {
            next++;
        }
        t.looked(next - before);
        noted(t, dag, task, next);
        if (next == dependencies.size()) {
            t.enqueueFirst(new Work.Weigh(await.start(), 0));
        } else if (next == end) {
            t.enqueueFirst(await);
            t.exhaust();
        } else if (await.alone()) {
            DagEnd.assessWhenQuiet(t, t.node(dag.id()));
        }
    }

    private static void noted(Transition t, Node dag, String task, int next) {
        if (next != known(dag, task)) {
            Map<String, Integer> awaits = new HashMap<>(dag.frame().awaits());
            awaits.put(task, next);
            t.frame(dag.id(), dag.frame().withAwaits(awaits));
        }
    }

    /** Weighs a portion of the condition: of parts that all must hold, or of which one must. */
    static void weigh(Transition t, Work.Weigh weigh) {
        Node dag = t.node(weigh.start().dagId());
        String task = DagRun.name(t, dag, weigh.start());
        if (!DagRun.mayStart(t, dag, task)) {
            return;
        }
        TaskGraph graph = t.graph(Calls.of(t, dag));
        Depends condition = graph.condition(task);
        List<Depends> parts =
                switch (condition) {
                    case Depends.And(var all) -> all;
                    case Depends.Or(var any) -> any;
                    case Depends.Task _, Depends.TaskResult _, Depends.Not _ -> List.of(condition);
                };
        boolean any = condition instanceof Depends.Or;
        TaskFacts facts = new TaskFacts(t, dag, graph);
        int end = Math.min(parts.size(), weigh.from() + PORTION);
        for (int i = weigh.from(); i < end; i++) {
            if (parts.get(i).holds(facts) == any) {
                begin(t, dag, task, any, weigh.start());
                return;
            }
        }
        t.looked(end - weigh.from());
        if (end < parts.size()) {
            t.enqueueFirst(new Work.Weigh(weigh.start(), end));
            t.exhaust();
        } else {
            begin(t, dag, task, !any, weigh.start());
        }
    }

    private static void begin(
            Transition t, Node dag, String task, boolean met, Work.StartTasks start) {
        DagRun.start(t, dag, task, met, start);
    }

    /** Hangs a task below a portion of its dependencies. */
    static void hang(Transition t, Work.HangTask hang) {
        Node dag = t.node(hang.dagId());
        Node task = t.find(dag.name() + "." + hang.task());
        if (task == null) {
            return; // It waits for a slot; what starts it hangs it.
        }
        List<String> dependencies = t.graph(Calls.of(t, dag)).dependencies(hang.task());
        int end = Math.min(dependencies.size(), hang.from() + PORTION);
        if (end < dependencies.size()) {
            t.enqueueFirst(new Work.HangTask(dag.id(), hang.task(), end));
            t.exhaust();
        }
        List<Node> before =
                dependencies.subList(hang.from(), end).stream()
                        .map(d -> t.node(t.id(dag.name() + "." + d)))
                        .toList();
        Hanging.add(t, task.id(), Hanging.below(t, task.id(), before));
    }
}
