package dev.millrace.workflowengine.core;

import dev.millrace.schemas.record.Cursor;
import dev.millrace.schemas.record.Frame;
import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.NodeFlag;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.NodeType;
import dev.millrace.schemas.record.Work;
import dev.millrace.workflowengine.state.Outbound;
import java.util.List;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Loops of a DAG: a TaskGroup node in place of the task, with the items below it. */
final class TaskGroupRun {

    private TaskGroupRun() {}

    /** Makes the group of a loop, or the one node that stands for it if there is nothing to do. */
    static void begin(
            Transition t,
            Node dag,
            String name,
            JsonNode task,
            Called called,
            Variables variables,
            List<String> parents) {
        String full = dag.name() + "." + name;
        Call call = DagRun.call(t, dag, full, name, dag.id(), task, called, parents);
        List<JsonNode> items;
        try {
            items = Members.items(Members.resolveAllButWhen(task, variables));
        } catch (CallException e) {
            DagRun.opened(t, dag.id());
            DagRun.errored(t, call, e);
            return;
        }
        DagRun.opened(t, dag.id());
        if (items.isEmpty()) {
            Calls.neverRan(t, call, NodePhase.SKIPPED, "Skipped, empty params");
            return;
        }
        Node group =
                Calls.node(t, call, NodeType.TASK_GROUP, NodePhase.RUNNING, null, null, null)
                        .withFrame(Frame.EMPTY.withCursor(new Cursor(0, 0)));
        t.add(group.withFlag(NodeFlag.NONE), parents);
        count(t, group, 1);
        t.enqueueFirst(new Work.ExpandTask(group.id()));
        HookRun.lookIfConcerned(t, t.node(group.id()));
    }

    /** Goes on after a retry: its cursor stands at the first item again. */
    static void resume(Transition t, Node group) {
        WorkflowRetry.resumed(t, group);
        if (isIdle(t.node(group.id()))) {
            count(t, group, 1);
        }
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
        if (t.shut(dag.exitHandler())) {
            assess(t, group);
            return;
        }
        String name = group.call() == null ? "" : group.call();
        Called called = Calls.of(t, dag);
        TaskGraph graph = t.graph(called);
        Variables variables = DagRun.variables(t, dag, called, graph.ancestors(name));
        ObjectNode task =
                Members.resolveAllButWhen(Objects.requireNonNull(graph.task(name)), variables);
        List<JsonNode> items = Members.items(task);
        for (int i = cursor.item(); i < items.size(); i++) {
            t.frame(groupId, t.node(groupId).frame().withCursor(new Cursor(0, i)));
            // The item before may have failed at once.
            if (DagRun.failFast(t, t.node(dag.id()))) {
                DagEnd.assessWhenQuiet(t, t.node(dag.id()));
                return;
            }
            if (t.exhausted()) {
                t.goOnWith(new Work.ExpandTask(groupId));
                return;
            }
            JsonNode item = items.get(i);
            String itemName = dag.name() + "." + NodeNames.item(name, i, item);
            if (!startItem(t, dag, itemName, name, group, task, called, variables, item)) {
                return;
            }
        }
        t.frame(groupId, t.node(groupId).frame().withCursor(null));
        assess(t, t.node(groupId));
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
        Node known = t.head().run() > 0 ? t.find(itemName) : null;
        boolean reopened = WorkflowRetry.reopened(t, known);
        if (known != null && !reopened) {
            WorkflowRetry.keep(t, t.node(group.id()), known);
            return true;
        }
        ObjectNode resolved;
        try {
            if (!reopened
                    && Members.when(task, variables.with(Members.itemLayer(item)))
                            instanceof Members.Verdict.Skip(var message)) {
                DagRun.opened(t, group.id());
                Calls.neverRan(
                        t,
                        DagRun.call(t, dag, itemName, name, group.id(), task, called, parents),
                        NodePhase.SKIPPED,
                        message);
                return true;
            }
            resolved = Members.forItem(Members.withoutWhen(task), variables, item);
        } catch (CallException e) {
            DagRun.opened(t, group.id());
            DagRun.errored(
                    t, DagRun.call(t, dag, itemName, name, group.id(), task, called, parents), e);
            return true;
        }
        return DagRun.execute(
                t,
                DagRun.call(t, dag, itemName, name, group.id(), resolved, called, parents),
                new Work.ExpandTask(group.id()));
    }

    /** An item of a loop and its hooks are done. */
    static void settled(Transition t, Node group) {
        if (group.fulfilled()) {
            return;
        }
        open(t, group, -1);
        assess(t, t.node(group.id()));
    }

    private static void assess(Transition t, Node group) {
        assess(t, group, 0, NodePhase.SUCCEEDED);
    }

    /**
     * Ends the group if all its items are done.
     *
     * @param from the first item that was not looked at yet
     * @param before the phase that those before make of it
     */
    static void assess(Transition t, Node group, int from, NodePhase before) {
        if (group.fulfilled() || group.frame().open() > 0) {
            return;
        }
        Node dag = t.node(group.boundaryId() == null ? "" : group.boundaryId());
        boolean cut = t.shut(dag.exitHandler());
        if (group.frame().cursor() != null && !cut) {
            if (DagRun.failFast(t, dag)) {
                DagEnd.assessWhenQuiet(t, dag);
            }
            return;
        }
        NodePhase phase = before;
        boolean look = dag.frame().troubled() || t.head().run() > 0;
        List<String> items = look ? t.state().children(group.id(), from, Outbound.MANY) : List.of();
        for (String id : items) {
            Node item = t.node(id);
            if (group.id().equals(item.ownerId())
                    && !item.hooked()
                    && item.phase().failedOrError()) {
                phase = item.phase();
            }
        }
        if (items.size() == Outbound.MANY) {
            t.enqueueFirst(new Work.JudgeGroup(group.id(), from + items.size(), phase));
            t.exhaust();
            return;
        }
        if (isIdle(group)) {
            count(t, group, -1);
        }
        Endings.end(t, group, phase, null, null, List.of());
    }

    /** A group or a DAG has more or fewer open members. */
    static void open(Transition t, Node owner, int by) {
        t.frame(owner.id(), owner.frame().withOpen(owner.frame().open() + by));
        countIdle(t, owner);
    }

    /** The open items or hooks of a loop have changed: a DAG with failFast counts idle loops. */
    static void countIdle(Transition t, Node before) {
        boolean idle = isIdle(t.node(before.id()));
        if (idle != isIdle(before)) {
            count(t, before, idle ? 1 : -1);
        }
    }

    /** Whether it is a loop that has begun and of which nothing is open. */
    static boolean isIdle(Node node) {
        return node.type() == NodeType.TASK_GROUP
                && !node.ended()
                && node.frame().open() == 0
                && node.frame().openHooks() == 0;
    }

    private static void count(Transition t, Node group, int by) {
        if (group.boundaryId() != null) {
            Frame dag = t.node(group.boundaryId()).frame();
            if (dag.idle() != null) {
                t.frame(group.boundaryId(), dag.withIdle(dag.idle() + by));
            }
        }
    }
}
