package dev.millrace.workflowengine.core;

import dev.millrace.expressions.tag.Mode;
import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.NodeType;
import dev.millrace.schemas.record.Work;
import dev.millrace.workflowengine.state.Outbound;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * DAGs: a task starts when every task that its condition names is done; what a finished task
 * touches is found by index.
 */
final class DagRun {
    /** A task that waits for fewer is looked at as a whole. */
    private static final int FEW = 32;

    private static final int PORTION = Outbound.MANY;

    private DagRun() {}

    static void begin(Transition t, Node dag, Called called) {
        TaskGraph graph;
        try {
            graph = t.graph(called);
        } catch (CallException e) {
            Endings.end(t, dag, NodePhase.ERROR, e.getMessage(), null, List.of());
            return;
        }
        countIdle(t, dag);
        int roots = graph.roots().size();
        if (roots == 0) {
            DagEnd.assess(t, t.node(dag.id()), called, graph);
        } else {
            t.enqueue(new Work.StartTasks(dag.id(), null, 0, roots));
        }
    }

    /** Only a DAG that ends with its first failure asks how many of its loops stand still. */
    private static void countIdle(Transition t, Node dag) {
        if (Calls.member(t, dag, "failFast").asBoolean(false)) {
            t.frame(dag.id(), t.node(dag.id()).frame().withIdle(0));
        }
    }

    /** Goes on after a retry: starts the tasks that are gone or were reopened. */
    static void resume(Transition t, Node dag, Called called) {
        try {
            TaskGraph _ = t.graph(called);
        } catch (CallException e) {
            Endings.end(t, dag, NodePhase.ERROR, e.getMessage(), null, List.of());
            return;
        }
        countIdle(t, dag);
        resumeTasks(t, new Work.ResumeTasks(dag.id(), 0, null));
    }

    /** Looks at a portion of the tasks: what a retry kept stays as it is, the rest starts. */
    static void resumeTasks(Transition t, Work.ResumeTasks resume) {
        Node dag = t.node(resume.dagId());
        if (dag.fulfilled()) {
            return;
        }
        Called called = Calls.of(t, dag);
        TaskGraph graph = t.graph(called);
        int to = Math.min(graph.order().size(), resume.from() + PORTION);
        Integer first = resume.first();
        for (int i = resume.from(); i < to; i++) {
            Node task = t.find(dag.name() + "." + graph.order().get(i));
            if (task != null && !WorkflowRetry.reopened(t, task)) {
                WorkflowRetry.keep(t, dag, task);
            } else if (first == null) {
                first = i;
            }
        }
        if (to < graph.order().size()) {
            t.enqueueFirst(new Work.ResumeTasks(dag.id(), to, first));
            t.exhaust();
        } else if (first != null) {
            // Those in between that were kept are passed over.
            t.enqueue(new Work.StartTasks(dag.id(), Work.StartTasks.ALL, first, to));
        } else {
            DagEnd.assess(t, t.node(dag.id()), called, graph);
        }
    }

    /** Starts the first of some tasks; the others are next. */
    static void startTasks(Transition t, Work.StartTasks starts) {
        if (starts.to() - starts.from() > 1) {
            t.enqueueFirst(starts.from(starts.from() + 1));
        }
        Node dag = t.node(starts.dagId());
        if (!dag.fulfilled()) {
            startTask(t, dag.id(), name(t, dag, starts), starts.first());
        }
    }

    /** The name of the first of some tasks. */
    static String name(Transition t, Node dag, Work.StartTasks starts) {
        return name(t.graph(Calls.of(t, dag)), starts);
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
        t.looked(1);
        if (!mayStart(t, dag, name)) {
            return;
        }
        TaskGraph graph = t.graph(Calls.of(t, dag));
        List<String> dependencies = graph.dependencies(name);
        if (ManyDependencies.has(graph, name) && work instanceof Work.StartTasks start) {
            t.enqueueFirst(new Work.Await(start, false));
            return;
        }
        t.looked(dependencies.size());
        if (dependencies.stream().allMatch(d -> settled(t, dag, d))) {
            boolean met = graph.condition(name).holds(new TaskFacts(t, dag, graph));
            start(t, dag, name, met, work);
        }
    }

    /** Whether a task may still start; if the DAG is to end instead, it does when it is quiet. */
    static boolean mayStart(Transition t, Node dag, String name) {
        Node known = t.find(dag.name() + "." + name);
        if (dag.fulfilled() || (known != null && !WorkflowRetry.reopened(t, known))) {
            return false;
        }
        if (t.shut(dag.exitHandler()) || failFast(t, dag)) {
            DagEnd.assessWhenQuiet(t, dag);
            return false;
        }
        return t.graph(Calls.of(t, dag)).task(name) != null;
    }

    /**
     * Starts a task that waits for nothing any more.
     *
     * @param met whether its condition holds
     */
    static void start(Transition t, Node dag, String name, boolean met, Work work) {
        String dagId = dag.id();
        Node known = t.find(dag.name() + "." + name);
        boolean reopened = WorkflowRetry.reopened(t, known);
        Called called = Calls.of(t, dag);
        TaskGraph graph = t.graph(called);
        JsonNode task = Objects.requireNonNull(graph.task(name));
        List<String> parents = reopened ? List.of() : parents(t, dag, graph, name);
        if (known != null && known.type() == NodeType.TASK_GROUP) {
            opened(t, dagId);
            TaskGroupRun.resume(t, known);
            return;
        }
        if (!reopened && !met) {
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
        if (!execute(t, call(t, dag, full, name, ownerId, resolved, called, parents), work)) {
            endWithout(t, t.node(dag.id()));
        }
    }

    /** A task that waits for a slot does not keep the failure of another one from deciding. */
    private static void endWithout(Transition t, Node dag) {
        if (dag.frame().open() == 0 && dag.frame().troubled() && !t.startsTasks(dag.id())) {
            DagEnd.assessWhenQuiet(t, dag);
        }
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
        TaskGroupRun.open(t, t.node(ownerId), 1);
    }

    /** Whether a task and its hooks are done. */
    static boolean settled(Transition t, Node dag, String task) {
        Node node = t.find(dag.name() + "." + task);
        return node != null && node.fulfilled() && node.frame().openHooks() == 0;
    }

    /** What a task hangs below at once; what else there is, it is hung below in portions. */
    private static List<String> parents(Transition t, Node dag, TaskGraph graph, String name) {
        List<String> dependencies = graph.dependencies(name);
        if (dependencies.isEmpty()) {
            return List.of(dag.id());
        }
        if (ManyDependencies.has(graph, name)) {
            t.enqueueFirst(new Work.HangTask(dag.id(), name, 0));
            return List.of();
        }
        List<Node> before = new ArrayList<>();
        dependencies.forEach(d -> before.add(t.node(t.id(dag.name() + "." + d))));
        return Hanging.below(t, t.id(dag.name() + "." + name), before);
    }

    /** A task and its hooks are done: its dependents may start, or the DAG is at its end. */
    static void settled(Transition t, Node dag, Node task) {
        if (dag.fulfilled()) {
            return;
        }
        t.frame(dag.id(), dag.frame().withOpen(dag.frame().open() - 1));
        String name = task.call() == null ? "" : task.call();
        release(t, new Work.Release(dag.id(), name, 0, false));
    }

    /**
     * Starts those of the tasks that wait for a task which may start now, a portion at a time; the
     * DAG may be at its end if there is none.
     */
    static void release(Transition t, Work.Release release) {
        Node dag = t.node(release.dagId());
        if (dag.fulfilled()) {
            return;
        }
        Called called = Calls.of(t, dag);
        TaskGraph graph = t.graph(called);
        List<String> waiting = graph.waitingFor(release.task());
        int to = Math.min(waiting.size(), release.from() + PORTION);
        Starts ready = new Starts(dag, release.task());
        List<Work> awaited = new ArrayList<>();
        for (int i = release.from(); i < to; i++) {
            String dependent = waiting.get(i);
            Node known = t.find(dag.name() + "." + dependent);
            // One that is there already waited for a hook of the task that a retry ran again.
            if (known == null || WorkflowRetry.reopened(t, known)) {
                if (!ManyDependencies.has(graph, dependent)) {
                    if (allSettled(t, dag, graph, dependent)) {
                        ready.add(i);
                    }
                } else if (ManyDependencies.mayBeDone(t, dag, graph, dependent)) {
                    awaited.add(new Work.Await(ready.one(i), !release.found()));
                }
            }
        }
        boolean found = release.found() || !ready.isEmpty() || !awaited.isEmpty();
        if (to < waiting.size()) {
            t.enqueueFirst(new Work.Release(dag.id(), release.task(), to, found));
            t.exhaust();
        }
        awaited.reversed().forEach(t::enqueueFirst);
        ready.enqueueFirst(t);
        if (!found && to >= waiting.size()) {
            DagEnd.assess(t, t.node(dag.id()), called, graph);
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
        private final Node dag;
        private final String after;
        private final List<Work.StartTasks> all = new ArrayList<>();

        Starts(Node dag, String after) {
            this.dag = dag;
            this.after = after;
        }

        Work.StartTasks one(int index) {
            return new Work.StartTasks(dag.id(), after, index, index + 1);
        }

        void add(int index) {
            Work.StartTasks one = one(index);
            if (!all.isEmpty() && all.getLast().joins(one)) {
                all.set(all.size() - 1, all.getLast().with(one));
            } else {
                all.add(one);
            }
        }

        boolean isEmpty() {
            return all.isEmpty();
        }

        /**
         * Before anything else that ended is looked at: the DAG is not at its end while they may
         * start.
         */
        void enqueueFirst(Transition t) {
            all.reversed().forEach(t::enqueueFirst);
        }
    }

    static boolean failFast(Transition t, Node dag) {
        return dag.frame().troubled() && Calls.member(t, dag, "failFast").asBoolean(false);
    }

    /**
     * The variables for texts of tasks: those of the template and {@code tasks.*} of these tasks.
     */
    static Variables variables(Transition t, Node dag, Called called, Collection<String> tasks) {
        return Calls.variables(t, dag, called)
                .with(new SiblingVariables(t, "tasks", SiblingVariables.tasks(t, dag, tasks)));
    }
}
