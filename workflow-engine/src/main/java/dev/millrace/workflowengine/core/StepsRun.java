package dev.millrace.workflowengine.core;

import dev.millrace.schemas.record.Cursor;
import dev.millrace.schemas.record.Frame;
import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.NodeFlag;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.NodeType;
import dev.millrace.schemas.record.Work;
import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.schemas.workflow.Outputs;
import dev.millrace.workflowengine.state.Outbound;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Steps: groups one after the other, the members of a group side by side. */
final class StepsRun {
    static final String FAIL_FAST = "template has failed or errored children and failFast enabled";

    private StepsRun() {}

    static void begin(Transition t, Node steps, Called called) {
        if (called.groups() == 0) {
            succeed(t, steps, called);
        } else {
            beginGroup(t, steps, 0);
        }
    }

    /** Goes on after a retry with the group that was reopened. */
    static void resume(Transition t, Node steps, Called called) {
        Node group = t.find(steps.name() + "[" + steps.frame().group() + "]");
        if (group == null) {
            if (called.groups() == 0) {
                succeed(t, steps, called);
            } else {
                beginGroup(t, steps, steps.frame().group());
            }
        } else if (WorkflowRetry.reopened(t, group)) {
            WorkflowRetry.resumed(t, group);
            t.enqueueFirst(new Work.StartMembers(group.id()));
        } else {
            goOn(t, steps, called);
        }
    }

    private static void beginGroup(Transition t, Node steps, int index) {
        Node previous = null;
        if (index > 0) {
            previous = group(t, steps, index - 1);
        }
        String name = steps.name() + "[" + index + "]";
        Node group =
                new Node(
                        t.id(name),
                        name,
                        "[" + index + "]",
                        NodeType.STEP_GROUP,
                        null,
                        null,
                        childScope(t, steps),
                        NodePhase.RUNNING,
                        steps.id(),
                        null,
                        t.now(),
                        null,
                        NodeFlag.NONE,
                        null,
                        null,
                        List.of(),
                        null,
                        null,
                        steps.id(),
                        null,
                        null,
                        null,
                        steps.depth(),
                        steps.exitHandler(),
                        Frame.EMPTY.withCursor(new Cursor(0, 0)));
        t.frame(steps.id(), t.node(steps.id()).frame().withGroup(index));
        t.enqueueFirst(new Work.StartMembers(group.id()));
        t.add(
                group,
                previous == null
                        ? List.of(steps.id())
                        : Hanging.below(t, group.id(), List.of(previous)));
    }

    /** The scope in which the names of steps inside this node are looked up. */
    private static String childScope(Transition t, Node steps) {
        return Calls.of(t, steps).scope();
    }

    private static Node steps(Transition t, Node group) {
        return t.node(group.boundaryId() == null ? "" : group.boundaryId());
    }

    private static Node group(Transition t, Node steps, int index) {
        return t.node(t.id(steps.name() + "[" + index + "]"));
    }

    /**
     * Starts members of a group from its cursor on, until all are started or something is in the
     * way.
     */
    static void startMembers(Transition t, String groupId) {
        Node group = t.node(groupId);
        Cursor cursor = group.frame().cursor();
        Node steps = steps(t, group);
        if (cursor == null || group.fulfilled()) {
            return;
        }
        Called called = Calls.of(t, steps);
        int index = steps.frame().group();
        int members = called.steps(index);
        Variables variables = variables(t, steps, called);
        while (cursor != null) {
            // The member before may have failed at once.
            if (failFast(t, t.node(steps.id()))) {
                return;
            }
            if (cursor.member() >= members) {
                t.frame(groupId, t.node(groupId).frame().withCursor(null));
                assess(t, t.node(groupId));
                return;
            }
            try {
                cursor =
                        startMember(
                                t,
                                group,
                                called.step(index, cursor.member()),
                                called,
                                variables,
                                cursor);
            } catch (CallException e) {
                doom(t, groupId, e.getMessage());
                return;
            }
            if (cursor != null) {
                t.frame(groupId, t.node(groupId).frame().withCursor(cursor));
                if (t.exhausted()) {
                    t.goOnWith(new Work.StartMembers(groupId));
                    return;
                }
            }
            if (t.node(groupId).fulfilled()) {
                return;
            }
        }
    }

    /**
     * Starts the member at the cursor; gives the next cursor, or null if it has to wait for a slot.
     */
    private static @Nullable Cursor startMember(
            Transition t,
            Node group,
            JsonNode member,
            Called called,
            Variables variables,
            Cursor cursor) {
        String step = member.path("name").asString("");
        String name = group.name() + "." + step;
        Cursor next = new Cursor(cursor.member() + 1, 0);
        if (!Members.isLoop(member)) {
            return one(t, group, name, step, member, called, variables) ? next : null;
        }
        ObjectNode resolved = resolve(member, variables);
        List<JsonNode> items = Members.items(resolved);
        if (items.isEmpty()) {
            Node known = kept(t, name);
            if (known != null) {
                WorkflowRetry.keep(t, t.node(group.id()), known);
                return next;
            }
            started(t, group);
            Calls.neverRan(
                    t,
                    call(t, group, name, step, resolved, called),
                    NodePhase.SKIPPED,
                    "Skipped, empty params");
            return next;
        }
        for (int i = cursor.item(); i < items.size(); i++) {
            if (t.exhausted() || failFast(t, steps(t, group))) {
                return new Cursor(cursor.member(), i);
            }
            JsonNode item = items.get(i);
            String itemName = group.name() + "." + NodeNames.item(step, i, item);
            if (!oneItem(t, group, itemName, step, resolved, called, variables, item)) {
                t.frame(
                        group.id(),
                        t.node(group.id()).frame().withCursor(new Cursor(cursor.member(), i)));
                return null;
            }
            if (t.node(group.id()).fulfilled()) {
                return null;
            }
        }
        return next;
    }

    private static ObjectNode resolve(JsonNode member, Variables variables) {
        try {
            return Members.resolveAllButWhen(member, variables);
        } catch (CallException e) {
            throw new CallException("failed to resolve references: " + e.getMessage());
        }
    }

    /** Starts a member that is no loop; false if it has to wait for a slot. */
    private static boolean one(
            Transition t,
            Node group,
            String name,
            String step,
            JsonNode member,
            Called called,
            Variables variables) {
        Node known = kept(t, name);
        if (WorkflowRetry.reopened(t, known)) {
            return execute(
                    t, group, call(t, group, name, step, resolve(member, variables), called));
        }
        if (known != null) {
            WorkflowRetry.keep(t, t.node(group.id()), known);
            return true;
        }
        Members.Verdict verdict;
        try {
            verdict = Members.when(member, variables);
        } catch (CallException e) {
            started(t, group);
            Calls.neverRan(
                    t, call(t, group, name, step, member, called), NodePhase.ERROR, e.getMessage());
            throw e;
        }
        if (verdict instanceof Members.Verdict.Skip(var message)) {
            started(t, group);
            Calls.neverRan(
                    t, call(t, group, name, step, member, called), NodePhase.SKIPPED, message);
            return true;
        }
        return execute(t, group, call(t, group, name, step, resolve(member, variables), called));
    }

    private static boolean oneItem(
            Transition t,
            Node group,
            String name,
            String step,
            JsonNode member,
            Called called,
            Variables variables,
            JsonNode item) {
        Node known = kept(t, name);
        boolean reopened = WorkflowRetry.reopened(t, known);
        if (known != null && !reopened) {
            WorkflowRetry.keep(t, t.node(group.id()), known);
            return true;
        }
        Members.Verdict verdict;
        try {
            verdict =
                    reopened
                            ? new Members.Verdict.Go()
                            : Members.when(member, variables.with(Members.itemLayer(item)));
        } catch (CallException e) {
            started(t, group);
            Calls.neverRan(
                    t, call(t, group, name, step, member, called), NodePhase.ERROR, e.getMessage());
            throw e;
        }
        if (verdict instanceof Members.Verdict.Skip(var message)) {
            started(t, group);
            Calls.neverRan(
                    t, call(t, group, name, step, member, called), NodePhase.SKIPPED, message);
            return true;
        }
        ObjectNode resolved;
        try {
            resolved =
                    Members.forItem(
                            reopened ? Members.withoutWhen(member) : member, variables, item);
        } catch (CallException e) {
            throw new CallException("failed to resolve references: " + e.getMessage());
        }
        return execute(t, group, call(t, group, name, step, resolved, called));
    }

    /** The node of a member, if this is a retry that kept or reopened it. */
    private static @Nullable Node kept(Transition t, String name) {
        return t.head().run() > 0 ? t.find(name) : null;
    }

    private static boolean execute(Transition t, Node group, Call call) {
        if (!Slots.free(t, call.boundaryId(), new Work.StartMembers(group.id()))) {
            return false;
        }
        try {
            started(t, group);
            Calls.start(t, call);
        } catch (CallException e) {
            Calls.neverRan(t, call, NodePhase.ERROR, e.getMessage());
            throw new CallException(
                    "step group deemed errored due to child "
                            + call.name()
                            + " error: "
                            + e.getMessage());
        }
        return true;
    }

    private static void started(Transition t, Node group) {
        Frame frame = t.node(group.id()).frame();
        t.frame(group.id(), frame.withOpen(frame.open() + 1));
    }

    private static Call call(
            Transition t, Node group, String name, String step, JsonNode member, Called called) {
        return new Call(
                name,
                group.boundaryId(),
                group.id(),
                step,
                Members.use(member),
                called.scope(),
                Members.arguments(member),
                null,
                List.of(group.id()),
                group.depth() + 1,
                group.exitHandler());
    }

    /** A member and its hooks are done. */
    static void settled(Transition t, Node group, Node member) {
        if (group.fulfilled()) {
            return;
        }
        t.frame(group.id(), group.frame().withOpen(group.frame().open() - 1));
        assess(t, t.node(group.id()));
    }

    /**
     * A member could not be started, so no further one is. The group ends in error once those that
     * run are done; until then its message says why.
     */
    private static void doom(Transition t, String groupId, String message) {
        t.frame(groupId, t.node(groupId).frame().withCursor(null));
        t.emit(new WorkflowEvent.NodeMessage(groupId, message));
        assess(t, t.node(groupId));
    }

    private static void assess(Transition t, Node group) {
        assess(t, group, 0);
    }

    /**
     * Ends the group if all its members are done.
     *
     * @param from the first member that was not looked at yet
     */
    static void assess(Transition t, Node group, int from) {
        Node steps = steps(t, group);
        Frame frame = group.frame();
        if (group.fulfilled() || frame.open() > 0) {
            return;
        }
        if (group.message() != null) {
            fail(t, group, NodePhase.ERROR, group.message());
            return;
        }
        if (failFast(t, steps)) {
            t.finish(group, NodePhase.FAILED, FAIL_FAST, null, List.of());
            Endings.end(t, t.node(steps.id()), NodePhase.FAILED, FAIL_FAST, null, List.of());
            return;
        }
        if (frame.cursor() != null) {
            return;
        }
        Called called = Calls.of(t, steps);
        // Where nothing failed, there is no need to look at all.
        boolean look = steps.frame().troubled() || t.head().run() > 0;
        List<String> members =
                look ? t.state().children(group.id(), from, Outbound.MANY) : List.of();
        for (String id : members) {
            Node child = t.node(id);
            if (child.phase().failedOrError() && !tolerated(called, child)) {
                fail(t, group, NodePhase.FAILED, "child '" + child.id() + "' failed");
                return;
            }
        }
        if (members.size() == Outbound.MANY) {
            int next = from + members.size();
            t.enqueueFirst(new Work.JudgeGroup(group.id(), next, NodePhase.SUCCEEDED));
            t.exhaust();
            return;
        }
        t.finish(group, NodePhase.SUCCEEDED, null, null, List.of());
        goOn(t, t.node(steps.id()), called);
    }

    /** The present group has succeeded: the next one begins, or the node has succeeded. */
    private static void goOn(Transition t, Node steps, Called called) {
        int next = steps.frame().group() + 1;
        if (next < called.groups()) {
            beginGroup(t, steps, next);
        } else {
            succeed(t, steps, called);
        }
    }

    private static boolean failFast(Transition t, Node steps) {
        return steps.frame().troubled() && Calls.member(t, steps, "failFast").asBoolean(false);
    }

    private static boolean tolerated(Called called, Node child) {
        JsonNode member = called.member(child.call());
        String key = child.phase() == NodePhase.FAILED ? "failed" : "error";
        return member != null && member.path("continueOn").path(key).asBoolean(false);
    }

    /** The group fails, and the Steps node with the same message. */
    private static void fail(Transition t, Node group, NodePhase phase, String message) {
        t.finish(group, phase, message, null, List.of());
        Node steps = steps(t, group);
        Endings.end(t, steps, NodePhase.FAILED, message, null, outbound(t, steps));
    }

    private static void succeed(Transition t, Node steps, Called called) {
        Outputs outputs;
        try {
            outputs = Results.ofOrchestrator(called, variables(t, steps, called));
        } catch (CallException e) {
            Endings.end(t, steps, NodePhase.ERROR, e.getMessage(), null, outbound(t, steps));
            return;
        }
        Endings.end(t, steps, NodePhase.SUCCEEDED, null, outputs, outbound(t, steps));
    }

    /** The outbound nodes of the members of the last group that exists. */
    private static List<String> outbound(Transition t, Node steps) {
        Node last = t.find(steps.name() + "[" + steps.frame().group() + "]");
        if (last == null) {
            return List.of();
        }
        if (t.state().childCount(last.id()) > Outbound.MANY) {
            return List.of(Outbound.members(last.id()));
        }
        Set<String> all = new LinkedHashSet<>();
        for (String id : t.state().children(last.id())) {
            all.addAll(Outbound.brief(t.state(), t.node(id)));
        }
        return List.copyOf(all);
    }

    /** The variables for texts of steps: those of the template and {@code steps.*}. */
    static Variables variables(Transition t, Node steps, Called called) {
        return Calls.variables(t, steps, called)
                .with(
                        new SiblingVariables(
                                t,
                                "steps",
                                SiblingVariables.steps(t, steps, called.definition().places())));
    }
}
