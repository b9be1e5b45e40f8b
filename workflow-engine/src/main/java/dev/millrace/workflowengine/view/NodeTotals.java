package dev.millrace.workflowengine.view;

import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.NodeType;
import dev.millrace.workflowengine.state.WorkflowState;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;

/** What has to be known of all nodes before the first of them can be shown. */
final class NodeTotals {
    /**
     * The progress of a group counts all that can be reached from it; in a larger workflow only
     * that of steps and of the whole is shown, since finding out all would take memory and time
     * that grow with its square.
     */
    static final int MOST_WITH_PROGRESS = 10_000;

    private static final int PAGE = 500;

    /** Nodes that have not ended and hold or want locks. */
    final Map<String, Node> locked = new HashMap<>();

    private final String exitHandler;
    private final Map<String, Node> executable = new HashMap<>();
    private final Map<String, List<String>> children = new HashMap<>();
    private final Sums all = new Sums();
    private final Sums belowRoot = new Sums();
    private int count;
    private boolean pods;

    NodeTotals(WorkflowState state, String workflow) {
        exitHandler = workflow + ".onExit";
        each(state, node -> add(state, node));
    }

    /** Reads all nodes in order of id, a page at a time. */
    static void each(WorkflowState state, Consumer<Node> consumer) {
        String after = "";
        List<String> page = state.nodes(after, PAGE);
        while (!page.isEmpty()) {
            for (String id : page) {
                consumer.accept(Objects.requireNonNull(state.node(id)));
            }
            after = page.getLast();
            page = state.nodes(after, PAGE);
        }
    }

    private void add(WorkflowState state, Node node) {
        count++;
        pods |= node.type() == NodeType.POD && node.stepId() != null;
        if (node.lock() != null && !node.ended()) {
            locked.put(node.id(), node);
        }
        if (NodeView.EXECUTABLE.contains(node.type())) {
            all.add(node);
            if (!node.name().startsWith(exitHandler)) {
                belowRoot.add(node);
            }
            executable.put(node.id(), node);
        }
        children.put(node.id(), state.children(node.id()));
        if (count > MOST_WITH_PROGRESS) {
            executable.clear();
            children.clear();
        }
    }

    boolean any() {
        return count > 0;
    }

    /** Whether some node is a step of its own. */
    boolean pods() {
        return pods;
    }

    /** What all steps did. */
    Sums all() {
        return all;
    }

    /**
     * What all distinct executable nodes did that can be reached along children, itself included.
     */
    Sums of(Node from) {
        if (NodeView.EXECUTABLE.contains(from.type())) {
            Sums own = new Sums();
            own.add(from);
            return own;
        }
        return count > MOST_WITH_PROGRESS ? ofMany(from) : below(from);
    }

    private Sums ofMany(Node group) {
        if (group.boundaryId() == null && group.ownerId() == null && !group.hooked()) {
            return belowRoot;
        }
        Sums used = new Sums();
        used.use(group);
        return used;
    }

    private Sums below(Node from) {
        Sums sums = new Sums();
        Set<String> seen = new HashSet<>();
        Deque<String> queue = new ArrayDeque<>(List.of(from.id()));
        while (!queue.isEmpty()) {
            String id = queue.poll();
            if (!seen.add(id)) {
                continue;
            }
            Node node = executable.get(id);
            if (node != null) {
                sums.add(node);
            }
            queue.addAll(children.getOrDefault(id, List.of()));
        }
        return sums;
    }
}
