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
