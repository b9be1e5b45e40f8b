package dev.millrace.workflowengine.core;

import dev.millrace.expressions.tag.Mode;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.Frame;
import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.NodeFlag;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.NodeType;
import dev.millrace.schemas.record.ShutdownStrategy;
import dev.millrace.schemas.record.Work;
import dev.millrace.schemas.workflow.Arguments;
import dev.millrace.schemas.workflow.LifecycleHook;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Lifecycle hooks and exit handlers of steps and tasks, and the hooks of the workflow. */
final class HookRun {
    static final String EXIT = "exit";

    private HookRun() {}

    /** Whether a node may have hooks: steps, tasks, items of loops, and the root. */
    static boolean concerns(Node node) {
        boolean member = node.call() != null && node.boundaryId() != null;
        boolean root = node.boundaryId() == null && node.ownerId() == null && !node.hooked();
        return (member || root)
                && !node.attempt()
                && !node.hooked()
                && node.type() != NodeType.STEP_GROUP;
    }

    /** The full name of a hook's node. */
    static String name(Node node, String hook) {
        return node.name() + (hook.equals(EXIT) ? ".onExit" : ".hooks." + hook);
    }

    static void lookIfConcerned(Transition t, Node node) {
        if (concerns(node)) {
            look(t, node);
        } else if (node.attempt() && node.ownerId() != null) {
            Node retry = t.node(node.ownerId());
            if (concerns(retry)) {
                look(t, retry);
            }
        }
    }

    /** Starts the hooks of a node whose time has come. */
    static void look(Transition t, Node node) {
        Map<String, LifecycleHook> hooks = hooks(t, node);
        hooks.forEach(
                (name, hook) -> {
                    Node now = t.node(node.id());
                    if (!now.frame().hooks().contains(name) && mayFire(t, now, name)) {
                        consider(t, now, name, hook);
                    }
                });
    }

    /**
     * Exit handlers belong to a completed node. Other hooks of a task belong to the task as a
     * whole, not to the items of a loop, and are not looked at before it runs.
     */
    private static boolean mayFire(Transition t, Node node, String hook) {
        if (hook.equals(EXIT)) {
            return node.phase().completed() && t.head().shutdown() != ShutdownStrategy.TERMINATE;
        }
        if (node.boundaryId() == null || t.node(node.boundaryId()).type() != NodeType.DAG) {
            return true;
        }
        boolean item =
                node.ownerId() != null && t.node(node.ownerId()).type() == NodeType.TASK_GROUP;
        return !item && node.phase() != NodePhase.PENDING;
    }

    private static Map<String, LifecycleHook> hooks(Transition t, Node node) {
        if (node.boundaryId() == null) {
            Map<String, LifecycleHook> hooks = new LinkedHashMap<>(t.workflow().hooks());
            hooks.remove(EXIT); // The workflow's exit handler has its own time.
            return hooks;
        }
        Node boundary = t.node(node.boundaryId());
        Definition definition = Calls.definition(t, boundary);
        JsonNode raw = definition == null ? null : definition.member(node.call());
        if (definition != null
                && definition.shaped()
                && (raw == null || !(raw.hasNonNull("hooks") || raw.hasNonNull("onExit")))) {
            return Map.of();
        }
        JsonNode member = Calls.of(t, boundary).member(node.call());
        Map<String, LifecycleHook> hooks = new LinkedHashMap<>();
        if (member != null) {
            member.path("hooks")
                    .properties()
                    .forEach(
                            h ->
                                    hooks.put(
                                            h.getKey(),
                                            Json.convert(h.getValue(), LifecycleHook.class)));
            String onExit = member.path("onExit").asString("");
            if (!onExit.isEmpty()) {
                hooks.putIfAbsent(EXIT, new LifecycleHook(onExit, null, null, null));
            }
        }
        return hooks;
    }

    private static void consider(Transition t, Node node, String name, LifecycleHook hook) {
        String full = name(node, name);
        try {
            Variables variables = variables(t, node);
            if (hook.expression() != null && !hook.expression().isEmpty()) {
                if (!Boolean.TRUE.equals(Results.evaluate(hook.expression(), variables))) {
                    return;
                }
            } else if (!name.equals(EXIT)) {
                throw new CallException("Expression required for hook " + full);
            }
            opened(t, node.id(), name);
            start(t, node, name, hook, variables);
        } catch (CallException e) {
            opened(t, node.id(), name);
            errs(t, node, name, hook, e);
        }
    }

    /** A hook whose time has come waited for a slot. */
    static void startHook(Transition t, String nodeId, String name) {
        Node node = t.state().node(nodeId);
        if (node == null || t.find(name(node, name)) != null) {
            return;
        }
        LifecycleHook hook = hooks(t, node).get(name);
        if (hook == null || !mayFire(t, node, name)) {
            settled(t, node);
            return;
        }
        try {
            start(t, node, name, hook, variables(t, node));
        } catch (CallException e) {
            errs(t, node, name, hook, e);
        }
    }

    private static void start(
            Transition t, Node node, String name, LifecycleHook hook, Variables variables) {
        if (!Slots.free(t, node.boundaryId(), new Work.StartHook(node.id(), name))) {
            return;
        }
        ObjectNode tree = (ObjectNode) Json.tree(hook);
        tree.remove("expression");
        JsonNode resolved = Members.resolve(tree, variables, Mode.LENIENT);
        Arguments arguments = Members.arguments(resolved);
        if (name.equals(EXIT) && hook.arguments() == null) {
            arguments = t.workflow().arguments();
        }
        Calls.start(t, call(t, node, name, resolved, arguments));
    }

    private static void errs(
            Transition t, Node node, String name, LifecycleHook hook, CallException why) {
        Arguments none = new Arguments(List.of(), List.of());
        Call call = call(t, node, name, Json.tree(hook), none);
        Calls.neverRan(t, call, NodePhase.ERROR, why.getMessage());
    }

    private static void opened(Transition t, String nodeId, String hook) {
        Frame frame = t.node(nodeId).frame();
        if (frame.hooks().contains(hook)) {
            return;
        }
        List<String> started = new ArrayList<>(frame.hooks());
        started.add(hook);
        Node before = t.node(nodeId);
        t.frame(nodeId, frame.withHooks(frame.openHooks() + 1, started));
        TaskGroupRun.countIdle(t, before);
    }

    private static Call call(
            Transition t, Node node, String name, JsonNode hook, Arguments arguments) {
        String scope = node.boundaryId() == null ? t.workflow().localScope() : node.templateScope();
        return new Call(
                name(node, name),
                node.boundaryId(),
                node.id(),
                name,
                Members.use(hook),
                scope,
                arguments,
                NodeFlag.HOOKED,
                List.of(node.id()),
                node.depth() + 1,
                name.equals(EXIT) || node.exitHandler());
    }

    private static Variables variables(Transition t, Node node) {
        if (node.boundaryId() == null) {
            return Variables.of(t.workflow().variables());
        }
        Node boundary = t.node(node.boundaryId());
        Called called = Calls.of(t, boundary);
        boolean dag = boundary.type() == NodeType.DAG;
        Variables outer =
                dag
                        ? DagRun.variables(t, boundary, called, tasks(t, called, node))
                        : StepsRun.variables(t, boundary, called);
        return outer.with(new SiblingVariables(t, dag ? "tasks" : "steps", self(node)));
    }

    private static Collection<String> tasks(Transition t, Called called, Node node) {
        TaskGraph graph = t.graph(called);
        Set<String> names = new LinkedHashSet<>();
        if (node.call() != null) {
            names.addAll(graph.ancestors(node.call()));
            names.add(node.call());
        }
        return names;
    }

    /**
     * The hooked node under its declared name, also while it runs and also for one item of a loop.
     */
    private static SiblingVariables.Siblings self(Node node) {
        String name = node.call() == null ? "" : node.call();
        return new SiblingVariables.Siblings() {
            @Override
            public Collection<String> names() {
                return List.of(name);
            }

            @Override
            public @Nullable Node node(String wanted) {
                return wanted.equals(name) || wanted.equals(node.displayName()) ? node : null;
            }

            @Override
            public @Nullable List<Node> members(String wanted) {
                return null;
            }
        };
    }

    /** A hook node is done: the hooked node may be settled now. */
    static void settled(Transition t, Node owner) {
        Frame frame = owner.frame();
        t.frame(owner.id(), frame.withHooks(frame.openHooks() - 1, frame.hooks()));
        TaskGroupRun.countIdle(t, owner);
        Node now = t.node(owner.id());
        if (now.fulfilled() && now.frame().openHooks() == 0) {
            t.enqueue(new Work.Settled(owner.id()));
        } else if (now.type() == NodeType.DAG && now.frame().open() == 0) {
            // It did not end before, since its hooks are among the nodes that it looks at.
            DagEnd.assessWhenQuiet(t, now);
        } else if (now.type() == NodeType.TASK_GROUP && now.frame().open() == 0) {
            // So does a DAG whose failFast cut the loop short.
            DagEnd.assessWhenQuiet(t, t.node(now.boundaryId() == null ? "" : now.boundaryId()));
        }
    }
}
