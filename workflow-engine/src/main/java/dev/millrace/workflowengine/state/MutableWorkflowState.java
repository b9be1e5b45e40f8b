package dev.millrace.workflowengine.state;

import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.WorkflowHead;
import dev.millrace.schemas.record.WorkflowSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where {@link Evolution} puts the entries of a workflow. */
public interface MutableWorkflowState extends WorkflowState {

    void putHead(WorkflowHead head);

    /** Sets the source; null removes it. */
    void putSource(@Nullable WorkflowSource source);

    /** Adds or replaces a node. */
    void putNode(Node node);

    /** Appends children to a node. */
    void addChildren(String parentId, List<String> children);

    /** Takes children off a node; an empty list takes off all. */
    void removeChildren(String parentId, List<String> children);

    /** Removes a node and the list of its children. */
    void removeNode(String id);
}
