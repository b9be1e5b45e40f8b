package dev.millrace.workflowengine.core;

import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.WorkflowHead;
import dev.millrace.schemas.record.WorkflowSource;
import dev.millrace.workflowengine.state.InMemoryWorkflow;
import dev.millrace.workflowengine.state.WorkflowState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Counts the entries that are read; a list of children counts as long as it is. */
final class CountedWorkflow implements WorkflowState {
    private final InMemoryWorkflow state;
    private long touched;

    CountedWorkflow(InMemoryWorkflow state) {
        this.state = state;
    }

    @Override
    public @Nullable WorkflowHead head() {
        touched++;
        return state.head();
    }

    @Override
    public @Nullable WorkflowSource source() {
        touched++;
        return state.source();
    }

    @Override
    public @Nullable Node node(String id) {
        touched++;
        return state.node(id);
    }

    @Override
    public List<String> children(String id) {
        return counted(state.children(id));
    }

    /** So many entries were read so far. */
    long touched() {
        return touched;
    }

    @Override
    public int childCount(String id) {
        touched++;
        return state.childCount(id);
    }

    @Override
    public List<String> children(String id, int from, int atMost) {
        return counted(state.children(id, from, atMost));
    }

    @Override
    public List<String> openNodes(String after, int atMost) {
        return counted(state.openNodes(after, atMost));
    }

    @Override
    public List<String> openNodes() {
        return counted(state.openNodes());
    }

    @Override
    public List<String> nodes() {
        return counted(state.nodes());
    }

    @Override
    public List<String> nodes(String after, int atMost) {
        return counted(state.nodes(after, atMost));
    }

    private List<String> counted(List<String> ids) {
        touched += ids.size() + 1;
        return ids;
    }
}
