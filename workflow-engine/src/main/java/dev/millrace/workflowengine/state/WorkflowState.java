package dev.millrace.workflowengine.state;

import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.WorkflowHead;
import dev.millrace.schemas.record.WorkflowSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Read access to one workflow, entry by entry: whoever looks at one node does not load the tree.
 */
public interface WorkflowState {

    /** The head, or null if the workflow was never submitted. */
    @Nullable WorkflowHead head();

    /** What it was started from, or null if there is no head or it was deleted. */
    @Nullable WorkflowSource source();

    /** The node of this id, or null. */
    @Nullable Node node(String id);

    /**
     * Ids of the children of a node in the order in which they were added; empty if there are none.
     */
    List<String> children(String id);

    /** How many children a node has. */
    default int childCount(String id) {
        return children(id).size();
    }

    /** A page of the children of a node: from an index on, at most so many. */
    default List<String> children(String id, int from, int atMost) {
        List<String> all = children(id);
        int start = Math.min(from, all.size());
        return all.subList(start, Math.min(all.size(), start + atMost));
    }

    /** Ids of all nodes that have not ended, in order of id. */
    List<String> openNodes();

    /** Of the ids of the nodes that have not ended the first ones behind an id, in order. */
    default List<String> openNodes(String after, int atMost) {
        return openNodes().stream().filter(id -> id.compareTo(after) > 0).limit(atMost).toList();
    }

    /** Ids of all nodes, in order of id. */
    List<String> nodes();

    /** Of the ids of all nodes the first ones behind an id, in order. */
    default List<String> nodes(String after, int atMost) {
        return nodes().stream().filter(id -> id.compareTo(after) > 0).limit(atMost).toList();
    }
}
