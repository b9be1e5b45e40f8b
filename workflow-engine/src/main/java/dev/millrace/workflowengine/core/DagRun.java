package dev.millrace.workflowengine.core;

import dev.millrace.expressions.tag.Mode;
import dev.millrace.schemas.record.Frame;
import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.NodeType;
import dev.millrace.schemas.record.Work;
import dev.millrace.schemas.workflow.Outputs;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * DAGs: a task starts when every task that its condition names is done; what a finished task
 * touches is found by index.
 */
final class DagRun {

    private DagRun() {}

    static void begin(Transition t, Node dag, Called called) {
        TaskGraph graph;
        try {
            graph = t.graph(called);
        } catch (CallException e) {
            Endings.end(t, dag, NodePhase.ERROR, e.getMessage(), null, List.of());
            return;
        }
        List<String> roots =
                graph.order().stream().filter(n -> graph.condition(n).tasks().isEmpty()).toList();
        roots.forEach(name -> t.enqueue(new Work.StartTask(dag.id(), name)));
        if (roots.isEmpty()) {
            assess(t, dag, called, graph);
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
        for (String name : graph.order()) {
            Node task = t.find(dag.name() + "." + name);
            if (task == null || WorkflowRetry.reopened(t, task)) {
                t.enqueue(new Work.StartTask(dag.id(), name));
                missing = true;
            } else {
                WorkflowRetry.keep(t, dag, task);
            }
        }
        if (!missing) {
            assess(t, t.node(dag.id()), called, graph);
        }
    }

    /** Starts a task, if everything that it depends on is done and it was not started before. */
    static void startTask(Transition t, String dagId, String name) {
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
        Set<String> dependencies = graph.condition(name).tasks();
        if (task == null || !dependencies.stream().allMatch(d -> settled(t, dag, d))) {
            return;
        }
        List<String> parents = parents(t, dag, dependencies);
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
                    new Work.StartTask(dagId, name));
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
                    new Work.StartTask(dagId, name));
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

    private static List<String> parents(Transition t, Node dag, Set<String> dependencies) {
        if (dependencies.isEmpty()) {
            return List.of(dag.id());
        }
        Set<String> all = new LinkedHashSet<>();
        dependencies.forEach(
                d -> {
                    Node node = t.find(dag.name() + "." + d);
                    if (node != null) {
                        all.addAll(Outbound.of(t, node));
                    }
                });
        return List.copyOf(all);
    }

    /** A task and its hooks are done: its dependents may start, or the DAG is at its end. */
    static void settled(Transition t, Node dag, Node task) {
        if (dag.fulfilled()) {
            return;
        }
        t.frame(dag.id(), dag.frame().withOpen(dag.frame().open() - 1));
        Called called = Calls.of(t, dag);
        TaskGraph graph = t.graph(called);
        List<String> ready = new ArrayList<>();
        for (String dependent : graph.waitingFor(task.call() == null ? "" : task.call())) {
            Node known = t.find(dag.name() + "." + dependent);
            // One that is there already waited for a hook of the task that a retry ran again.
            if ((known == null || WorkflowRetry.reopened(t, known))
                    && graph.order().contains(dependent)
                    && graph.condition(dependent).tasks().stream()
                            .allMatch(d -> settled(t, dag, d))) {
                ready.add(dependent);
            }
        }
        // Before anything else that ended is looked at: the DAG is not at its end while they may
        // start.
        ready.reversed().forEach(name -> t.enqueueFirst(new Work.StartTask(dag.id(), name)));
        if (ready.isEmpty()) {
            assess(t, t.node(dag.id()), called, graph);
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
            outputs = Results.ofOrchestrator(called, variables(t, dag, called, graph.order()));
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
            if (node != null) {
                all.addAll(Outbound.of(t, node));
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
