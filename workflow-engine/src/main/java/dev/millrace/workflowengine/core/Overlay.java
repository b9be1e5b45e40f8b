package dev.millrace.workflowengine.core;

import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.WorkflowHead;
import dev.millrace.schemas.record.WorkflowSource;
import dev.millrace.workflowengine.state.MutableWorkflowState;
import dev.millrace.workflowengine.state.NodeLists;
import dev.millrace.workflowengine.state.WorkflowState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The state as it would be after the events of a decision, over the state that it started from,
 * which stays untouched.
 */
final class Overlay implements MutableWorkflowState {
    private final WorkflowState base;
    private @Nullable WorkflowHead head;
    private @Nullable WorkflowSource source;
    private final Map<String, Node> nodes = new LinkedHashMap<>();
    private final Map<String, List<String>> added = new HashMap<>();
    private final Set<String> removed = new HashSet<>();

    /** Nodes whose children in the base no longer count. */
    private final Set<String> uprooted = new HashSet<>();

    /** Children that were taken off, of lists that nobody has asked for since. */
    private final Map<String, Set<String>> taken = new HashMap<>();

    Overlay(WorkflowState base) {
        this.base = base;
        head = base.head();
        source = base.source();
    }

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
        Node changed = nodes.get(id);
        return changed != null ? changed : removed.contains(id) ? null : base.node(id);
    }

    @Override
    public List<String> children(String id) {
        settle(id);
        List<String> known = uprooted.contains(id) ? List.of() : base.children(id);
        List<String> more = added.get(id);
        if (more == null) {
            return known;
        }
        List<String> all = new ArrayList<>(known);
        all.addAll(more);
        return all;
    }

    @Override
    public int childCount(String id) {
        settle(id);
        return known(id) + added.getOrDefault(id, List.of()).size();
    }

    private int known(String id) {
        return uprooted.contains(id) ? 0 : base.childCount(id);
    }

    @Override
    public List<String> children(String id, int from, int atMost) {
        settle(id);
        List<String> page = uprooted.contains(id) ? List.of() : base.children(id, from, atMost);
        return NodeLists.page(page, known(id), added.get(id), from, atMost);
    }

    @Override
    public List<String> openNodes(String after, int atMost) {
        // As many of those known as may have ended since come on top.
        int known = atMost + removed.size() + nodes.size();
        TreeSet<String> open = new TreeSet<>(base.openNodes(after, known));
        open.removeAll(removed);
        nodes.values()
                .forEach(
                        n -> {
                            if (n.ended() || n.id().compareTo(after) <= 0) {
                                open.remove(n.id());
                            } else {
                                open.add(n.id());
                            }
                        });
        return open.stream().limit(atMost).toList();
    }

    @Override
    public List<String> openNodes() {
        TreeSet<String> open = new TreeSet<>(base.openNodes());
        open.removeAll(removed);
        nodes.values()
                .forEach(
                        n -> {
                            if (n.ended()) {
                                open.remove(n.id());
                            } else {
                                open.add(n.id());
                            }
                        });
        return List.copyOf(open);
    }

    @Override
    public List<String> nodes() {
        TreeSet<String> all = new TreeSet<>(base.nodes());
        all.removeAll(removed);
        all.addAll(nodes.keySet());
        return List.copyOf(all);
    }

    @Override
    public List<String> nodes(String after, int atMost) {
        TreeSet<String> all = new TreeSet<>(base.nodes(after, atMost + removed.size()));
        all.removeAll(removed);
        nodes.keySet().stream().filter(id -> id.compareTo(after) > 0).forEach(all::add);
        return all.stream().limit(atMost).toList();
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
    }

    @Override
    public void addChildren(String parentId, List<String> children) {
        settle(parentId);
        added.computeIfAbsent(parentId, _ -> new ArrayList<>()).addAll(children);
    }

    @Override
    public void removeChildren(String parentId, List<String> gone) {
        if (gone.isEmpty()) {
            taken.remove(parentId);
            uprooted.add(parentId);
            added.remove(parentId);
            return;
        }
        taken.computeIfAbsent(parentId, _ -> new HashSet<>()).addAll(gone);
    }

    /** Reads a list that lost children whole. */
    private void settle(String parentId) {
        Set<String> gone = taken.remove(parentId);
        if (gone != null) {
            List<String> left = new ArrayList<>(children(parentId));
            left.removeIf(gone::contains);
            uprooted.add(parentId);
            added.put(parentId, left);
        }
    }

    @Override
    public void removeNode(String id) {
        nodes.remove(id);
        taken.remove(id);
        added.remove(id);
        removed.add(id);
        uprooted.add(id);
    }
}
