package dev.millrace.workflowengine.state;

import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.WorkflowHead;
import dev.millrace.schemas.record.WorkflowSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A workflow in memory. Two of them are equal if all their entries are. */
public final class InMemoryWorkflow implements MutableWorkflowState {
    private @Nullable WorkflowHead head;
    private @Nullable WorkflowSource source;
    private final TreeMap<String, Node> nodes = new TreeMap<>();
    private final Map<String, List<String>> children = new HashMap<>();
    private final TreeSet<String> open = new TreeSet<>();

    @Override
    public @Nullable WorkflowHead head() {
        return head;
    }

    @Override
    public @Nullable WorkflowSource source() {
        return source;
    }

    @Override
    public @Nullable Node node(String id) {
        return nodes.get(id);
    }

    @Override
    public List<String> children(String id) {
        return List.copyOf(children.getOrDefault(id, List.of()));
    }

    @Override
    public int childCount(String id) {
        return children.getOrDefault(id, List.of()).size();
    }

    @Override
    public List<String> children(String id, int from, int atMost) {
        List<String> all = children.getOrDefault(id, List.of());
        int start = Math.min(from, all.size());
        return List.copyOf(all.subList(start, Math.min(all.size(), start + atMost)));
    }

    @Override
    public List<String> openNodes() {
        return List.copyOf(open);
    }

    @Override
    public List<String> openNodes(String after, int atMost) {
        return open.tailSet(after, false).stream().limit(atMost).toList();
    }

    @Override
    public List<String> nodes() {
        return List.copyOf(nodes.keySet());
    }

    @Override
    public List<String> nodes(String after, int atMost) {
        return nodes.tailMap(after, false).keySet().stream().limit(atMost).toList();
    }

    @Override
    public void putHead(WorkflowHead head) {
        this.head = head;
    }

    @Override
    public void putSource(@Nullable WorkflowSource source) {
        this.source = source;
    }

    @Override
    public void putNode(Node node) {
        nodes.put(node.id(), node);
        if (node.ended()) {
            open.remove(node.id());
        } else {
            open.add(node.id());
        }
    }

    @Override
    public void addChildren(String parentId, List<String> added) {
        children.computeIfAbsent(parentId, _ -> new ArrayList<>()).addAll(added);
    }

    @Override
    public void removeChildren(String parentId, List<String> removed) {
        List<String> known = children.get(parentId);
        if (known != null) {
            known.removeIf(c -> removed.isEmpty() || removed.contains(c));
            if (known.isEmpty()) {
                children.remove(parentId);
            }
        }
    }

    @Override
    public void removeNode(String id) {
        nodes.remove(id);
        children.remove(id);
        open.remove(id);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof InMemoryWorkflow o
                && Objects.equals(head, o.head)
                && Objects.equals(source, o.source)
                && nodes.equals(o.nodes)
                && children.equals(o.children);
    }

    @Override
    public int hashCode() {
        return nodes.keySet().hashCode();
    }
}
