package dev.millrace.workflowengine.core;

import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.NodeType;
import dev.millrace.schemas.record.Redo;
import dev.millrace.schemas.record.Work;
import dev.millrace.workflowengine.state.NodeLists;
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
 *
 * <p>What is marked is also noted in a list, {@link NodeLists#MARKED}; what comes after it is
 * marked from there, a portion at a time.
 */
final class RedoMarks {
    /** So many nodes are looked at in a decision because others were marked. */
    private static final int PORTION = 500;

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
                && selector.matches(node)
                && node.type() != NodeType.STEP_GROUP) {
            whole(node);
        }
        if (selector != null && isOfSelectedGroup(node, selector)) {
            whole(node);
        }
        if (reexpand) {
            reexpand(t.node(node.id()));
        }
    }

    /** A selected group of steps stays, and its steps are done again. */
    private boolean isOfSelectedGroup(Node node, NodeSelector selector) {
        if (node.ownerId() == null || node.hooked()) {
            return false;
        }
        Node group = t.node(node.ownerId());
        return group.type() == NodeType.STEP_GROUP
                && group.phase() == NodePhase.SUCCEEDED
                && group.frame().cursor() == null
                && selector.matches(group);
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
        }
        if (known == null) {
            marked(node);
        }
    }

    private void inside(Node node) {
        if (mark(node) == null) {
            set(node, false);
            marked(node);
        }
    }

    private void set(Node node, boolean whole) {
        t.frame(node.id(), t.node(node.id()).frame().withRedo(new Redo(t.head().run(), whole)));
    }

    private void marked(Node node) {
        if (node.hooked() && node.ownerId() != null) {
            hook(node, t.node(node.ownerId()));
        } else if (node.ownerId() != null) {
            t.addChild(NodeLists.MARKED, node.id());
        }
    }

    /**
     * Marks a portion of what is done again because of the nodes in the list.
     *
     * @return what is left, or null
     */
    Work.@Nullable SpreadRetry spread(Work.SpreadRetry work) {
        int from = work.from();
        int within = work.within();
        int left = PORTION;
        while (left > 0) {
            List<String> next = t.state().children(NodeLists.MARKED, from, 1);
            if (next.isEmpty()) {
                return null;
            }
            int looked = spread(t.node(next.getFirst()), within, left);
            left -= Math.max(1, looked);
            if (left > 0) {
                from++;
                within = 0;
            } else {
                within += looked;
            }
        }
        return new Work.SpreadRetry(from, within);
    }

    /**
     * What is done again because this node is, from an index on.
     *
     * @return at how many nodes it looked; {@code atMost} if there may be more
     */
    private int spread(Node node, int from, int atMost) {
        Node owner = t.node(Objects.requireNonNull(node.ownerId()));
        int looked =
                switch (owner.type()) {
                    case DAG -> dependents(owner, node, from, atMost);
                    case STEPS -> laterGroups(owner, node, from, atMost);
                    case RETRY,
                            STEP_GROUP,
                            TASK_GROUP,
                            POD,
                            CONTAINER,
                            SKIPPED,
                            SUSPEND,
                            HTTP,
                            PLUGIN ->
                            0;
                };
        if (looked == atMost) {
            return looked;
        }
        if (owner.type() == NodeType.RETRY) {
            List<Node> attempts = RetryRun.attempts(t, owner);
            if (!attempts.getLast().id().equals(node.id())) {
                return looked;
            }
            attempts.subList(0, attempts.size() - 1).forEach(a -> set(a, true));
        }
        if (holdsOthers(owner)) {
            inside(owner);
        } else {
            whole(owner);
        }
        return looked;
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

    private int dependents(Node dag, Node task, int from, int atMost) {
        if (task.call() == null) {
            return 0;
        }
        List<String> waiting = t.graph(Calls.of(t, dag)).waitingFor(task.call());
        int to = Math.min(waiting.size(), from + atMost);
        for (String name : waiting.subList(Math.min(from, to), to)) {
            Node dependent = t.find(dag.name() + "." + name);
            if (dependent != null) {
                whole(dependent);
            }
        }
        return Math.max(0, to - from);
    }

    /** Where the next group is marked with all below it, those after it are or will be. */
    private int laterGroups(Node steps, Node group, int from, int atMost) {
        String name = group.name();
        int index = Integer.parseInt(name.substring(name.lastIndexOf('[') + 1, name.length() - 1));
        Node next = t.find(steps.name() + "[" + (index + 1) + "]");
        Redo known = next == null ? null : mark(next);
        if (from == 0 && known != null && known.whole()) {
            return 0;
        }
        int looked = 0;
        for (int i = index + 1 + from; i <= steps.frame().group() && looked < atMost; i++) {
            looked++;
            Node other = t.find(steps.name() + "[" + i + "]");
            if (other != null) {
                set(other, true);
            }
        }
        return looked;
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
                    if (task != null && group != null && Members.isLoop(task)) {
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
