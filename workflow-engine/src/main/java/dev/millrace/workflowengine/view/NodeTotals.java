package dev.millrace.workflowengine.view;

import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.NodeType;
import dev.millrace.workflowengine.state.WorkflowState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What has to be known of all nodes before the first of them can be shown. */
final class NodeTotals {
    private static final int PAGE = 500;

    /** Nodes that have not ended and hold or want locks. */
    final Map<String, Node> locked = new HashMap<>();

    private final String exitHandler;
    private @Nullable Reach reach;
    private final Sums all = new Sums();
    private final Sums belowRoot = new Sums();
    private int count;
    private boolean pods;

    /**
     * @param groups whether anybody asks for single nodes
     */
    NodeTotals(WorkflowState state, String workflow, boolean groups) {
        exitHandler = workflow + ".onExit";
        reach = groups ? new Reach() : null;
        each(state, node -> add(state, node));
        if (reach != null && !reach.settle()) {
            reach = null;
        }
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
        }
        if (count > Reach.MOST_NODES) {
            reach = null;
        }
        if (reach != null) {
            reach.add(node, state.children(node.id()));
        }
    }

    /** How many nodes there are. */
    int count() {
        return count;
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
     * Where that cannot be found out, only the root has a progress.
     */
    Sums of(Node from) {
        if (NodeView.EXECUTABLE.contains(from.type())) {
            Sums own = new Sums();
            own.add(from);
            return own;
        }
        return reach == null ? ofMany(from) : reach.of(from.id());
    }

    private Sums ofMany(Node group) {
        if (group.boundaryId() == null && group.ownerId() == null && !group.hooked()) {
            return belowRoot;
        }
        Sums used = new Sums();
        used.use(group);
        return used;
    }
}
