package dev.millrace.workflowengine.state;

import dev.millrace.schemas.record.Node;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lists of a workflow that may be long and so are kept as lists of children are. Ids of nodes never
 * begin as the names of these do.
 */
public final class NodeLists {
    /** Parts of a source of which some are still to come. */
    static final String SOURCE = "~source";

    /** Nodes that a retry marked, whatever comes after them to be marked too. */
    public static final String MARKED = "~marked";

    /** Nodes with very many children of which a retry removed some. */
    public static final String PRUNED = "~pruned";

    private static final String OUTBOUND = "~outbound/";
    private static final String BLOCKED = "~blocked/";

    private NodeLists() {}

    /** The list of outbound nodes of a node that has many. */
    public static String outbound(String nodeId) {
        return OUTBOUND + nodeId;
    }

    /**
     * The list of what waits for a slot below a node, or of the workflow, behind the first of it.
     */
    public static String blocked(@Nullable String nodeId) {
        return BLOCKED + (nodeId == null ? "" : nodeId);
    }

    /**
     * A page of a list that has grown since it was stored.
     *
     * @param page the same page of what is stored
     * @param stored how many are stored
     * @param more what comes after them; null for nothing
     * @param from index of the first one of the page
     */
    public static List<String> page(
            List<String> page, int stored, @Nullable List<String> more, int from, int atMost) {
        if (more == null || page.size() == atMost) {
            return page;
        }
        int start = Math.clamp(from - (long) stored, 0, more.size());
        int end = Math.min(more.size(), start + atMost - page.size());
        List<String> all = new ArrayList<>(page);
        all.addAll(more.subList(start, end));
        return all;
    }

    /** The outbound nodes of a node, however many. */
    public static List<String> outbound(WorkflowState state, Node node) {
        return switch (node.type()) {
            case STEPS, DAG -> {
                List<String> more = state.children(outbound(node.id()));
                if (more.isEmpty()) {
                    yield node.outboundNodes();
                }
                List<String> all = new ArrayList<>(node.outboundNodes());
                all.addAll(more);
                yield all;
            }
            case POD, CONTAINER, STEP_GROUP, TASK_GROUP, RETRY, SKIPPED, SUSPEND, HTTP, PLUGIN ->
                    node.outboundNodes();
        };
    }
}
