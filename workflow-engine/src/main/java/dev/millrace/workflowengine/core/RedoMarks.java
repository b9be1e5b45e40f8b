package dev.millrace.workflowengine.core;

import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.NodeType;
import dev.millrace.schemas.record.Redo;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Says what a retry does again: every leaf that failed, also one whose failure was tolerated, and
 * every daemon of a DAG or Steps node that failed; what came after it (later groups, dependent
 * tasks); and with a selector nodes that succeeded. Groups, DAGs and Retry nodes around them are
 * marked to be reopened. Attempts before the last one say nothing about their Retry node, and a
 * failed hook runs again only where it may have been the trouble: the step or task that it belongs
 * to is kept.
 */
final class RedoMarks {
    private final Transition t;
    private final @Nullable NodeSelector selector;
    private final boolean reexpand;

    /**
     * @param selector nodes that are done again although they succeeded
     * @param reexpand whether loops may have other items than before
     */
    RedoMarks(Transition t, @Nullable NodeSelector selector, boolean reexpand) {
        this.t = t;
        this.selector = selector;
        this.reexpand = reexpand;
    }

    void visit(Node node) {
        // A loop that a shutdown cut short has no item that failed, but lacks some.
        boolean cutShort = node.type().isGroup() && node.frame().cursor() != null;
        if (!node.fulfilled()
                || node.phase().failedOrError()
                || cutShort
                || isMissingDaemon(node)) {
            if (holdsOthers(node)) {
                inside(node);
            } else {
                whole(node);
            }
        } else if (selector != null
                && node.phase() == NodePhase.SUCCEEDED
                && selector.matches(node)) {
            if (node.type() == NodeType.STEP_GROUP) {
                t.state().children(node.id()).forEach(id -> whole(t.node(id)));
            } else {
                whole(node);
            }
        }
        if (reexpand) {
            reexpand(t.node(node.id()));
        }
    }

    /** It ended with what it was for; that goes on now and needs it again. */
    private boolean isMissingDaemon(Node node) {
        return node.daemon() != null
                && node.boundaryId() != null
                && t.node(node.boundaryId()).phase().failedOrError();
    }

    private static boolean holdsOthers(Node node) {
        return switch (node.type()) {
            case STEPS, DAG, STEP_GROUP, TASK_GROUP, RETRY -> true;
            case POD, CONTAINER, SKIPPED, SUSPEND, HTTP, PLUGIN -> false;
        };
    }

    private @Nullable Redo mark(Node node) {
        Redo redo = t.node(node.id()).frame().redo();
        return redo == null || redo.run() != t.head().run() ? null : redo;
    }

    private void whole(Node node) {
        Redo known = mark(node);
        if (known == null || !known.whole()) {
            set(node, true);
            spread(node);
        }
    }

    private void inside(Node node) {
        if (mark(node) == null) {
            set(node, false);
            spread(node);
        }
    }

    private void set(Node node, boolean whole) {
        t.frame(node.id(), t.node(node.id()).frame().withRedo(new Redo(t.head().run(), whole)));
    }

    /** What is done again because this node is. */
    private void spread(Node node) {
        if (node.ownerId() == null) {
            return;
        }
        Node owner = t.node(node.ownerId());
        if (node.hooked()) {
            hook(node, owner);
            return;
        }
        switch (owner.type()) {
            case DAG -> dependents(owner, node);
            case STEPS -> laterGroups(owner, node);
            case RETRY -> {
                List<Node> attempts = RetryRun.attempts(t, owner);
                if (!attempts.getLast().id().equals(node.id())) {
                    return;
                }
                attempts.subList(0, attempts.size() - 1).forEach(a -> set(a, true));
            }
            case STEP_GROUP, TASK_GROUP, POD, CONTAINER, SKIPPED, SUSPEND, HTTP, PLUGIN -> {}
        }
        if (holdsOthers(owner)) {
            inside(owner);
        } else {
            whole(owner);
        }
    }

    private void hook(Node hook, Node hooked) {
        Node around = hooked.ownerId() == null ? null : t.node(hooked.ownerId());
        if (around == null || (around.fulfilled() && !around.phase().failedOrError())) {
            t.frame(hook.id(), t.node(hook.id()).frame().withRedo(null));
            return;
        }
        set(hook, true);
        // Followers of a Retry node hang below its last child, which may be the hook; those of a
        // hook
        // that is a Retry node itself hang below its last attempt.
        followers(hook, hook);
        if (hook.type() == NodeType.RETRY) {
            RetryRun.attempts(t, hook).forEach(attempt -> followers(hook, attempt));
        }
    }

    private void followers(Node hook, Node last) {
        for (String id : t.state().children(last.id())) {
            Node child = t.node(id);
            if (!hook.id().equals(child.ownerId())
                    && !last.id().equals(child.ownerId())
                    && Objects.equals(child.boundaryId(), hook.boundaryId())) {
                whole(child);
            }
        }
    }

    private void dependents(Node dag, Node task) {
        if (task.call() == null) {
            return;
        }
        TaskGraph graph = t.graph(Calls.of(t, dag));
        for (String name : graph.waitingFor(task.call())) {
            Node dependent = t.find(dag.name() + "." + name);
            if (dependent != null) {
                whole(dependent);
            }
        }
    }

    private void laterGroups(Node steps, Node group) {
        boolean later = false;
        for (int i = 0; i <= steps.frame().group(); i++) {
            Node other = t.find(steps.name() + "[" + i + "]");
            if (other != null && later) {
                set(other, true);
            }
            later |= other != null && other.id().equals(group.id());
        }
    }

    /**
     * A loop that has other items with the new parameters goes on with them; items that it no
     * longer has are removed.
     */
    private void reexpand(Node node) {
        try {
            if (node.type() == NodeType.STEP_GROUP && node.boundaryId() != null) {
                Node steps = t.node(node.boundaryId());
                Called called = Calls.of(t, steps);
                int index = Integer.parseInt(node.displayName().replaceAll("\\D", ""));
                Variables variables = StepsRun.variables(t, steps, called);
                for (int i = 0; i < called.steps(index); i++) {
                    reexpand(node, node, node.name(), called.step(index, i), variables);
                }
            } else if (node.type() == NodeType.DAG) {
                Called called = Calls.of(t, node);
                TaskGraph graph = t.graph(called);
                for (String name : graph.order()) {
                    JsonNode task = graph.task(name);
                    Node group = t.find(node.name() + "." + name);
                    if (task != null && group != null) {
                        reexpand(
                                group.type() == NodeType.TASK_GROUP ? group : node,
                                group,
                                node.name(),
                                task,
                                DagRun.variables(t, node, called, graph.ancestors(name)));
                    }
                }
            }
        } catch (CallException e) {
            // The items cannot be told yet: something before the loop is done again, and it too.
        }
    }

    /**
     * @param owner the node that owns the items
     * @param group the node that goes on if the items are others
     */
    private void reexpand(
            Node owner, Node group, String prefix, JsonNode member, Variables variables) {
        if (!Members.isLoop(member)) {
            return;
        }
        String call = member.path("name").asString("");
        List<JsonNode> items = Members.items(Members.resolveAllButWhen(member, variables));
        Set<String> wanted = new HashSet<>();
        for (int i = 0; i < items.size(); i++) {
            wanted.add(prefix + "." + NodeNames.item(call, i, items.get(i)));
        }
        if (items.isEmpty()) {
            wanted.add(prefix + "." + call);
        }
        if (group.type() != NodeType.TASK_GROUP && group.type() != NodeType.STEP_GROUP) {
            // A task whose loop was empty.
            if (!items.isEmpty()) {
                whole(group);
            }
            return;
        }
        if (items.isEmpty() && group.type() == NodeType.TASK_GROUP) {
            whole(group);
            return;
        }
        Set<String> missing = new HashSet<>(wanted);
        for (String id : t.state().children(group.id())) {
            Node child = t.node(id);
            if (owner.id().equals(child.ownerId()) && call.equals(child.call())) {
                if (!missing.remove(child.name())) {
                    whole(child);
                }
            }
        }
        if (!missing.isEmpty()) {
            inside(group);
        }
    }
}
