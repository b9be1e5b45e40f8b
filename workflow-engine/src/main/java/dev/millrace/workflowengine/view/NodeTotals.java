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
import org.jspecify.annotations.Nullable;

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
    private final Map<String, int[]> own = new HashMap<>();
    private final Map<String, List<String>> children = new HashMap<>();
    private int count;
    private int done;
    private int total;
    private int doneBelowRoot;
    private int totalBelowRoot;
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
        boolean executable = NodeView.EXECUTABLE.contains(node.type());
        if (executable) {
            int[] progress = NodeView.own(node);
            done += progress[0];
            total += progress[1];
            if (!node.name().startsWith(exitHandler)) {
                doneBelowRoot += progress[0];
                totalBelowRoot += progress[1];
            }
            own.put(node.id(), progress);
        }
        children.put(node.id(), state.children(node.id()));
        if (count > MOST_WITH_PROGRESS) {
            own.clear();
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

    /** Work of all steps, or null if there are none. */
    @Nullable String progress() {
        return text(done, total);
    }

    /**
     * Work of all distinct executable nodes that can be reached along children, itself included.
     */
    @Nullable String progress(Node from) {
        if (NodeView.EXECUTABLE.contains(from.type())) {
            int[] progress = NodeView.own(from);
            return progress[0] + "/" + progress[1];
        }
        if (count > MOST_WITH_PROGRESS) {
            boolean root = from.boundaryId() == null && from.ownerId() == null && !from.hooked();
            return root ? text(doneBelowRoot, totalBelowRoot) : null;
        }
        int below = 0;
        int all = 0;
        Set<String> seen = new HashSet<>();
        Deque<String> queue = new ArrayDeque<>(List.of(from.id()));
        while (!queue.isEmpty()) {
            String id = queue.poll();
            if (!seen.add(id)) {
                continue;
            }
            int[] progress = own.get(id);
            if (progress != null) {
                below += progress[0];
                all += progress[1];
            }
            queue.addAll(children.getOrDefault(id, List.of()));
        }
        return text(below, all);
    }

    private static @Nullable String text(int done, int total) {
        return total == 0 ? null : done + "/" + total;
    }
}
