package dev.millrace.workflowengine.core;

import dev.millrace.expressions.tag.Mode;
import dev.millrace.schemas.record.Frame;
import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.NodeType;
import dev.millrace.schemas.record.Work;
import dev.millrace.schemas.workflow.Outputs;
import dev.millrace.workflowengine.state.Outbound;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * DAGs: a task starts when every task that its condition names is done; what a finished task
 * touches is found by index.
 */
final class DagRun {
    /** A task that waits for fewer is looked at as a whole. */
    private static final int FEW = 32;

    private DagRun() {}

    static void begin(Transition t, Node dag, Called called) {
        TaskGraph graph;
        try {
            graph = t.graph(called);
        } catch (CallException e) {
            Endings.end(t, dag, NodePhase.ERROR, e.getMessage(), null, List.of());
            return;
        }
        int roots = graph.roots().size();
        if (roots == 0) {
            assess(t, dag, called, graph);
        } else {
            t.enqueue(new Work.StartTasks(dag.id(), null, 0, roots));
        }
    }

    /** Goes on after a retry: starts the tasks that are gone or were reopened. */
    static void resume(Transition t, Node dag, Called called) {
        TaskGraph graph;
        try {
            graph = t.graph(called);
        } catch (CallException e) {
            Endings.end(t, dag, NodePhase.ERROR, e.getMessage(), null, List.of());
            return;
        }
        boolean missing = false;
        int index = 0;
        Starts starts = new Starts(t, dag, Work.StartTasks.ALL);
        for (String name : graph.order()) {
            Node task = t.find(dag.name() + "." + name);
            if (task == null || WorkflowRetry.reopened(t, task)) {
                starts.add(index);
                missing = true;
            } else {
                WorkflowRetry.keep(t, dag, task);
            }
            index++;
        }
        starts.enqueue();
        if (!missing) {
            assess(t, t.node(dag.id()), called, graph);
        }
    }

    /** Starts the first of some tasks; the others are next. */
    static void startTasks(Transition t, Work.StartTasks starts) {
        if (starts.to() - starts.from() > 1) {
            t.enqueueFirst(starts.from(starts.from() + 1));
        }
        Node dag = t.node(starts.dagId());
        if (!dag.fulfilled()) {
            String name = name(t.graph(Calls.of(t, dag)), starts);
            startTask(t, dag.id(), name, starts.first());
        }
    }

    private static String name(TaskGraph graph, Work.StartTasks starts) {
        String after = starts.after();
        if (after == null) {
            return graph.roots().get(starts.from());
        }
        return after.equals(Work.StartTasks.ALL)
                ? graph.order().get(starts.from())
                : graph.waitingFor(after).get(starts.from());
    }

    /**
     * Starts a task, if everything that it depends on is done and it was not started before.
     *
     * @param work what starts it, should it have to wait for a slot
     */
    static void startTask(Transition t, String dagId, String name, Work work) {
        Node dag = t.node(dagId);
        Node known = t.find(dag.name() + "." + name);
        boolean reopened = WorkflowRetry.reopened(t, known);
        if (dag.fulfilled() || (known != null && !reopened)) {
            return;
        }
        if (t.shut(dag.exitHandler())) {
            assessWhenQuiet(t, dag);
            return;
        }
        if (failFast(t, dag)) {
            assessWhenQuiet(t, dag);
            return;
        }
        Called called = Calls.of(t, dag);
        TaskGraph graph = t.graph(called);
        JsonNode task = graph.task(name);
        List<String> dependencies = graph.dependencies(name);
        if (task == null || !dependencies.stream().allMatch(d -> settled(t, dag, d))) {
            return;
        }
        List<String> parents = parents(t, dag, dependencies);
        if (!reopened) {
            hang(t, dag, name, dependencies);
        }
        if (known != null && known.type() == NodeType.TASK_GROUP) {
            opened(t, dagId);
            TaskGroupRun.resume(t, known);
            return;
        }
        if (!reopened && !graph.condition(name).holds(new TaskFacts(t, dag, graph))) {
            Call call = call(t, dag, dag.name() + "." + name, name, dagId, task, called, parents);
            opened(t, dagId);
            Calls.neverRan(t, call, NodePhase.OMITTED, "omitted: depends condition not met");
            return;
        }
        Variables variables = variables(t, dag, called, graph.ancestors(name));
        if (reopened) {
            JsonNode always = Members.withoutWhen(task);
            startOne(
                    t,
                    dag,
                    dag.name() + "." + name,
                    name,
                    dagId,
                    always,
                    called,
                    variables,
                    parents,
                    work);
        } else if (Members.isLoop(task)) {
            TaskGroupRun.begin(t, dag, name, task, called, variables, parents);
        } else {
            startOne(
                    t,
                    dag,
                    dag.name() + "." + name,
                    name,
                    dagId,
                    task,
                    called,
                    variables,
                    parents,
                    work);
        }
    }

    private static void startOne(
            Transition t,
            Node dag,
            String full,
            String name,
            String ownerId,
            JsonNode task,
            Called called,
            Variables variables,
            List<String> parents,
            Work work) {
        Call call = call(t, dag, full, name, ownerId, task, called, parents);
        try {
            if (Members.when(task, variables) instanceof Members.Verdict.Skip(var message)) {
                opened(t, ownerId);
                Calls.neverRan(t, call, NodePhase.SKIPPED, message);
                return;
            }
        } catch (CallException e) {
            opened(t, ownerId);
            Calls.neverRan(t, call, NodePhase.ERROR, e.getMessage());
            return;
        }
        ObjectNode resolved;
        try {
            resolved = Members.resolve(Members.withoutWhen(task), variables, Mode.LENIENT);
        } catch (CallException e) {
            opened(t, ownerId);
            errored(t, call, e);
            return;
        }
        execute(t, call(t, dag, full, name, ownerId, resolved, called, parents), work);
    }

    static boolean execute(Transition t, Call call, Work work) {
        if (!Slots.free(t, call.boundaryId(), work)) {
            return false;
        }
        opened(t, call.ownerId() == null ? "" : call.ownerId());
        try {
            Calls.start(t, call);
        } catch (CallException e) {
            errored(t, call, e);
        }
        return true;
    }

    static void errored(Transition t, Call call, CallException cause) {
        Calls.neverRan(
                t,
                call,
                NodePhase.ERROR,
                "task '" + call.name() + "' errored: " + cause.getMessage());
    }

    static Call call(
            Transition t,
            Node dag,
            String full,
            String name,
            String ownerId,
            JsonNode task,
            Called called,
            List<String> parents) {
        return new Call(
                full,
                dag.id(),
                ownerId,
                name,
                Members.use(task),
                called.scope(),
                Members.arguments(task),
                null,
                parents,
                dag.depth() + 1,
                dag.exitHandler());
    }

    static void opened(Transition t, String ownerId) {
        Frame frame = t.node(ownerId).frame();
        t.frame(ownerId, frame.withOpen(frame.open() + 1));
    }

    private static boolean settled(Transition t, Node dag, String task) {
        Node node = t.find(dag.name() + "." + task);
        return node != null && node.fulfilled() && node.frame().openHooks() == 0;
    }

    private static List<String> parents(Transition t, Node dag, List<String> dependencies) {
        if (dependencies.isEmpty()) {
            return List.of(dag.id());
        }
        Set<String> all = new LinkedHashSet<>();
        dependencies.forEach(
                d -> {
                    Node node = t.find(dag.name() + "." + d);
                    if (node != null && !isLarge(t, node)) {
                        all.addAll(Outbound.of(t.state(), node));
                    }
                });
        return List.copyOf(all);
    }

    /** Hangs a task below the items of the large loops that it waits for. */
    private static void hang(Transition t, Node dag, String name, List<String> dependencies) {
        for (String dependency : dependencies) {
            Node node = t.find(dag.name() + "." + dependency);
            if (node != null && isLarge(t, node)) {
                t.enqueueFirst(new Work.Hang(t.id(dag.name() + "." + name), node.id(), 0));
            }
        }
    }

    private static boolean isLarge(Transition t, Node node) {
        return node.type() == NodeType.TASK_GROUP
                && t.state().children(node.id()).size() > Outbound.MANY;
    }

    /** A task and its hooks are done: its dependents may start, or the DAG is at its end. */
    static void settled(Transition t, Node dag, Node task) {
        if (dag.fulfilled()) {
            return;
        }
        t.frame(dag.id(), dag.frame().withOpen(dag.frame().open() - 1));
        Called called = Calls.of(t, dag);
        TaskGraph graph = t.graph(called);
        String name = task.call() == null ? "" : task.call();
        Starts ready = new Starts(t, dag, name);
        int index = 0;
        for (String dependent : graph.waitingFor(name)) {
            Node known = t.find(dag.name() + "." + dependent);
            // One that is there already waited for a hook of the task that a retry ran again.
            if ((known == null || WorkflowRetry.reopened(t, known))
                    && allSettled(t, dag, graph, dependent)) {
                ready.add(index);
            }
            index++;
        }
        if (!ready.enqueueFirst()) {
            assess(t, t.node(dag.id()), called, graph);
        }
    }

    /**
     * Whether nothing is in the way of a task. It looks first at the dependency that was in its way
     * the last time: of a task that waits for thousands, not all are looked at whenever one is
     * done.
     */
    private static boolean allSettled(Transition t, Node dag, TaskGraph graph, String task) {
        List<String> dependencies = graph.dependencies(task);
        int count = dependencies.size();
        String key = t.head().uid() + "/" + dag.id() + "/" + task;
        int first = count < FEW ? 0 : graph.tasks().obstacles().getOrDefault(key, 0);
        for (int i = 0; i < count; i++) {
            int place = (first + i) % count;
            if (!settled(t, dag, dependencies.get(place))) {
                if (count >= FEW) {
                    graph.tasks().obstacles().put(key, place);
                }
                return false;
            }
        }
        graph.tasks().obstacles().remove(key);
        return true;
    }

    /** Tasks that are to be started, those with places next to each other as one work. */
    private static final class Starts {
        private final Transition t;
        private final Node dag;
        private final @Nullable String after;
        private final List<Work.StartTasks> all = new ArrayList<>();

        Starts(Transition t, Node dag, @Nullable String after) {
            this.t = t;
            this.dag = dag;
            this.after = after;
        }

        void add(int index) {
            Work.StartTasks one = new Work.StartTasks(dag.id(), after, index, index + 1);
            if (!all.isEmpty() && all.getLast().joins(one)) {
                all.set(all.size() - 1, all.getLast().with(one));
            } else {
                all.add(one);
            }
        }

        void enqueue() {
            all.forEach(t::enqueue);
        }

        /**
         * Before anything else that ended is looked at: the DAG is not at its end while they may
         * start. False if there are none.
         */
        boolean enqueueFirst() {
            all.reversed().forEach(t::enqueueFirst);
            return !all.isEmpty();
        }
    }

    static boolean failFast(Transition t, Node dag) {
        return dag.frame().troubled() && Calls.member(t, dag, "failFast").asBoolean(false);
    }

    static void assessWhenQuiet(Transition t, Node dag) {
        Called called = Calls.of(t, dag);
        assess(t, dag, called, t.graph(called));
    }

    private static void assess(Transition t, Node dag, Called called, TaskGraph graph) {
        if (dag.fulfilled() || openBelow(t, dag)) {
            return;
        }
        boolean failFast = failFast(t, dag);
        if (failFast) {
            endGroups(t, dag);
            Endings.end(t, dag, NodePhase.FAILED, StepsRun.FAIL_FAST, null, List.of());
            return;
        }
        boolean shutdown = t.shut(dag.exitHandler());
        NodePhase phase =
                shutdown ? NodePhase.FAILED : DagPhase.of(t, dag, graph, called.body().path("dag"));
        if (!phase.fulfilled()) {
            return;
        }
        List<String> outbound = outbound(t, dag, graph.targets());
        if (phase != NodePhase.SUCCEEDED) {
            Endings.end(t, dag, phase, null, null, outbound);
            return;
        }
        Outputs outputs;
        try {
            outputs =
                    Results.ofOrchestrator(
                            called, variables(t, dag, called, graph.tasks().wanted()));
        } catch (CallException e) {
            Endings.end(t, dag, NodePhase.ERROR, e.getMessage(), null, outbound);
            return;
        }
        Endings.end(t, dag, NodePhase.SUCCEEDED, null, outputs, outbound);
    }

    /** Whether tasks are open; a loop that is cut short by failFast counts only its items. */
    private static boolean openBelow(Transition t, Node dag) {
        if (dag.frame().open() == 0) {
            return false;
        }
        if (!failFast(t, dag)) {
            return true;
        }
        int cut = 0;
        for (String id : t.state().openNodes()) {
            Node node = t.node(id);
            if (dag.id().equals(node.ownerId()) && !WorkflowRetry.reopened(t, node)) {
                if (node.type() == NodeType.TASK_GROUP && node.frame().open() == 0) {
                    cut++;
                } else if (!node.fulfilled()) {
                    return true;
                }
            }
        }
        return cut < dag.frame().open();
    }

    private static void endGroups(Transition t, Node dag) {
        for (String id : t.state().openNodes()) {
            Node node = t.node(id);
            if (dag.id().equals(node.ownerId()) && node.type() == NodeType.TASK_GROUP) {
                t.finish(node, NodePhase.FAILED, StepsRun.FAIL_FAST, null, List.of());
            }
        }
    }

    private static List<String> outbound(Transition t, Node dag, List<String> targets) {
        Set<String> all = new LinkedHashSet<>();
        for (String target : targets) {
            Node node = t.find(dag.name() + "." + target);
            if (node != null && isLarge(t, node)) {
                all.add(Outbound.members(node.id()));
            } else if (node != null) {
                all.addAll(Outbound.of(t.state(), node));
            }
        }
        return List.copyOf(all);
    }

    /**
     * The variables for texts of tasks: those of the template and {@code tasks.*} of these tasks.
     */
    static Variables variables(Transition t, Node dag, Called called, Collection<String> tasks) {
        return Calls.variables(t, dag, called)
                .with(new SiblingVariables(t, "tasks", SiblingVariables.tasks(t, dag, tasks)));
    }
}
