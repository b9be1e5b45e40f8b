package dev.millrace.workflowengine.core;

import dev.millrace.expressions.tag.Mode;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.Cursor;
import dev.millrace.schemas.record.Frame;
import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.NodeFlag;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.NodeType;
import dev.millrace.schemas.record.Work;
import dev.millrace.schemas.workflow.Outputs;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
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

    /** Starts a task, if everything that it depends on is done and it was not started before. */
    static void startTask(Transition t, String dagId, String name) {
        Node dag = t.node(dagId);
        if (dag.fulfilled() || t.find(dag.name() + "." + name) != null) {
            return;
        }
        if (t.head().shutdown() != null && !dag.exitHandler()) {
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
        if (!graph.condition(name).holds(facts(t, dag, graph))) {
            Call call = call(t, dag, dag.name() + "." + name, name, dagId, task, called, parents);
            opened(t, dagId);
            Calls.neverRan(t, call, NodePhase.OMITTED, "omitted: depends condition not met");
            return;
        }
        Variables variables = variables(t, dag, called, graph.ancestors(name));
        if (Members.isLoop(task)) {
            startLoop(t, dag, name, task, called, variables, parents);
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

    private static void startLoop(
            Transition t,
            Node dag,
            String name,
            JsonNode task,
            Called called,
            Variables variables,
            List<String> parents) {
        String full = dag.name() + "." + name;
        Call call = call(t, dag, full, name, dag.id(), task, called, parents);
        List<JsonNode> items;
        try {
            items = Members.items(resolve(task, variables));
        } catch (CallException e) {
            opened(t, dag.id());
            errored(t, call, e);
            return;
        }
        opened(t, dag.id());
        if (items.isEmpty()) {
            Calls.neverRan(t, call, NodePhase.SKIPPED, "Skipped, empty params");
            return;
        }
        Node group =
                Calls.node(t, call, NodeType.TASK_GROUP, NodePhase.RUNNING, null, null, null)
                        .withFrame(Frame.EMPTY.withCursor(new Cursor(0, 0)));
        t.add(group.withFlag(NodeFlag.NONE), parents);
        t.enqueueFirst(new Work.ExpandTask(group.id()));
    }

    /** Starts the items of a loop from the group's cursor on. */
    static void expand(Transition t, String groupId) {
        Node group = t.node(groupId);
        Cursor cursor = group.frame().cursor();
        Node dag = t.node(group.boundaryId() == null ? "" : group.boundaryId());
        if (cursor == null || group.fulfilled() || dag.fulfilled()) {
            return;
        }
        if (failFast(t, dag) || (t.head().shutdown() != null && !dag.exitHandler())) {
            assessWhenQuiet(t, dag);
            return;
        }
        String name = group.call() == null ? "" : group.call();
        Called called = Calls.of(t, dag);
        TaskGraph graph = t.graph(called);
        Variables variables = variables(t, dag, called, graph.ancestors(name));
        ObjectNode task = resolve(Objects.requireNonNull(graph.task(name)), variables);
        List<JsonNode> items = Members.items(task);
        for (int i = cursor.item(); i < items.size(); i++) {
            t.frame(groupId, t.node(groupId).frame().withCursor(new Cursor(0, i)));
            if (t.exhausted()) {
                t.enqueueFirst(new Work.ExpandTask(groupId));
                return;
            }
            JsonNode item = items.get(i);
            String itemName = dag.name() + "." + NodeNames.item(name, i, item);
            if (!startItem(t, dag, itemName, name, group, task, called, variables, item)) {
                return;
            }
        }
        t.frame(groupId, t.node(groupId).frame().withCursor(null));
        assessGroup(t, t.node(groupId));
    }

    private static boolean startItem(
            Transition t,
            Node dag,
            String itemName,
            String name,
            Node group,
            JsonNode task,
            Called called,
            Variables variables,
            JsonNode item) {
        List<String> parents = List.of(group.id());
        ObjectNode resolved;
        try {
            if (Members.when(task, variables.with(Members.itemLayer(item)))
                    instanceof Members.Verdict.Skip(var message)) {
                opened(t, group.id());
                Calls.neverRan(
                        t,
                        call(t, dag, itemName, name, group.id(), task, called, parents),
                        NodePhase.SKIPPED,
                        message);
                return true;
            }
            resolved = Members.forItem(withoutWhen(task), variables, item);
        } catch (CallException e) {
            opened(t, group.id());
            errored(t, call(t, dag, itemName, name, group.id(), task, called, parents), e);
            return true;
        }
        return execute(
                t,
                call(t, dag, itemName, name, group.id(), resolved, called, parents),
                new Work.ExpandTask(group.id()));
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
            resolved = Members.resolve(withoutWhen(task), variables, Mode.LENIENT);
        } catch (CallException e) {
            opened(t, ownerId);
            errored(t, call, e);
            return;
        }
        execute(t, call(t, dag, full, name, ownerId, resolved, called, parents), work);
    }

    private static boolean execute(Transition t, Call call, Work work) {
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

    private static void errored(Transition t, Call call, CallException cause) {
        Calls.neverRan(
                t,
                call,
                NodePhase.ERROR,
                "task '" + call.name() + "' errored: " + cause.getMessage());
    }

    private static ObjectNode withoutWhen(JsonNode task) {
        ObjectNode copy = (ObjectNode) task.deepCopy();
        copy.remove("when");
        return copy;
    }

    private static ObjectNode resolve(JsonNode task, Variables variables) {
        ObjectNode resolved = Members.resolve(withoutWhen(task), variables, Mode.LENIENT);
        if (task.has("when")) {
            resolved.set("when", task.get("when"));
        }
        return resolved;
    }

    private static Call call(
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

    private static void opened(Transition t, String ownerId) {
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

    private static Depends.Facts facts(Transition t, Node dag, TaskGraph graph) {
        return new Depends.Facts() {
            @Override
            public boolean bare(String task) {
                NodePhase phase = phase(task);
                JsonNode definition = graph.task(task);
                JsonNode continueOn =
                        definition == null
                                ? Json.mapper().missingNode()
                                : definition.path("continueOn");
                return phase == NodePhase.SUCCEEDED
                        || phase == NodePhase.SKIPPED
                        || (phase == NodePhase.FAILED && continueOn.path("failed").asBoolean(false))
                        || (phase == NodePhase.ERROR && continueOn.path("error").asBoolean(false));
            }

            @Override
            public boolean is(String task, Depends.Result result) {
                NodePhase phase = phase(task);
                return switch (result) {
                    case SUCCEEDED -> phase == NodePhase.SUCCEEDED;
                    case FAILED -> phase == NodePhase.FAILED;
                    case ERRORED -> phase == NodePhase.ERROR;
                    case SKIPPED -> phase == NodePhase.SKIPPED;
                    case OMITTED -> phase == NodePhase.OMITTED;
                    case DAEMONED -> false;
                    case ANY_SUCCEEDED ->
                            items(task).stream().anyMatch(n -> n.phase() == NodePhase.SUCCEEDED);
                    case ALL_FAILED -> {
                        List<Node> items = items(task);
                        yield !items.isEmpty()
                                && items.stream().allMatch(n -> n.phase() == NodePhase.FAILED);
                    }
                };
            }

            private NodePhase phase(String task) {
                Node node = t.find(dag.name() + "." + task);
                return node == null ? NodePhase.PENDING : node.phase();
            }

            private List<Node> items(String task) {
                Node node = t.find(dag.name() + "." + task);
                if (node == null || node.type() != NodeType.TASK_GROUP) {
                    return List.of();
                }
                return t.state().children(node.id()).stream()
                        .map(t::node)
                        .filter(n -> node.id().equals(n.ownerId()) && !n.hooked())
                        .toList();
            }
        };
    }

    /** An item of a loop and its hooks are done. */
    static void itemSettled(Transition t, Node group) {
        t.frame(group.id(), group.frame().withOpen(group.frame().open() - 1));
        assessGroup(t, t.node(group.id()));
    }

    private static void assessGroup(Transition t, Node group) {
        if (group.fulfilled() || group.frame().open() > 0) {
            return;
        }
        Node dag = t.node(group.boundaryId() == null ? "" : group.boundaryId());
        boolean cut = t.head().shutdown() != null && !dag.exitHandler();
        if (group.frame().cursor() != null && !cut) {
            if (failFast(t, dag)) {
                assessWhenQuiet(t, dag);
            }
            return;
        }
        NodePhase phase = NodePhase.SUCCEEDED;
        for (String id : t.state().children(group.id())) {
            Node item = t.node(id);
            if (group.id().equals(item.ownerId())
                    && !item.hooked()
                    && item.phase().failedOrError()) {
                phase = item.phase();
            }
        }
        Endings.end(t, group, phase, null, null, List.of());
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
            if (graph.order().contains(dependent)
                    && graph.condition(dependent).tasks().stream()
                            .allMatch(d -> settled(t, dag, d))) {
                ready.add(dependent);
            }
        }
        ready.forEach(name -> t.enqueue(new Work.StartTask(dag.id(), name)));
        if (ready.isEmpty()) {
            assess(t, t.node(dag.id()), called, graph);
        }
    }

    private static boolean failFast(Transition t, Node dag) {
        return dag.frame().troubled() && Calls.member(t, dag, "failFast").asBoolean(false);
    }

    private static void assessWhenQuiet(Transition t, Node dag) {
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
        boolean shutdown = t.head().shutdown() != null && !dag.exitHandler();
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
            if (dag.id().equals(node.ownerId())) {
                if (node.type() != NodeType.TASK_GROUP || node.frame().open() > 0) {
                    return true;
                }
                cut++;
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
