package dev.millrace.workflowengine.state;

import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.NodeType;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The nodes below which whatever follows a node is hung. */
public final class Outbound {
    /** A group with more members stands for their outbound nodes: they are found when asked for. */
    public static final int MANY = 1_000;

    private static final int FEW = 16;

    private static final String MEMBERS = "~members/";

    private Outbound() {}

    /**
     * A list that is too long to be looked at as a whole: of the members of a group, or of what
     * comes out of a Steps or DAG node.
     *
     * @param depth how often each entry is replaced by what comes out of it
     */
    public record Rest(String nodeId, int depth) {}

    /**
     * What comes out of a node: the ids of few nodes, and lists that are long.
     *
     * @param depth how often what comes out is replaced by what comes out of it
     */
    public static void expand(
            WorkflowState state, Node node, int depth, Set<String> few, Set<Rest> many) {
        if (depth == 0) {
            few.add(node.id());
            return;
        }
        switch (node.type()) {
            case SKIPPED, SUSPEND, HTTP, PLUGIN, POD, CONTAINER -> few.addAll(of(state, node));
            case TASK_GROUP, STEP_GROUP -> {
                int members = state.childCount(node.id());
                if (members > MANY) {
                    many.add(new Rest(node.id(), depth));
                } else if (members == 0) {
                    few.add(node.id());
                } else {
                    state.children(node.id())
                            .forEach(id -> expand(state, node(state, id), depth, few, many));
                }
            }
            case RETRY -> {
                String last = lastChild(state, node.id());
                if (last == null) {
                    few.add(node.id());
                } else {
                    expand(state, node(state, last), depth - 1, few, many);
                }
            }
            case STEPS, DAG -> {
                if (state.childCount(NodeLists.outbound(node.id())) > MANY) {
                    many.add(new Rest(node.id(), depth));
                    return;
                }
                List<String> written = NodeLists.outbound(state, node);
                written.forEach(id -> entry(state, node, id, depth, few, many));
                if (written.isEmpty()) {
                    few.add(node.id());
                }
            }
        }
    }

    /** Goes on with a long list from an index on; gives the index of what is left, or -1. */
    public static int expand(
            WorkflowState state, Rest rest, int from, Set<String> few, Set<Rest> many) {
        Node node = node(state, rest.nodeId());
        boolean group = node.type().isGroup();
        String list = group ? node.id() : NodeLists.outbound(node.id());
        int next = from;
        for (String id : state.children(list, from, MANY)) {
            if (few.size() >= MANY) {
                return next;
            }
            if (group) {
                expand(state, node(state, id), rest.depth(), few, many);
            } else {
                entry(state, node, id, rest.depth(), few, many);
            }
            next++;
        }
        return next < state.childCount(list) ? next : -1;
    }

    /** What stands in a Steps or DAG node as an outbound node. */
    private static void entry(
            WorkflowState state, Node node, String id, int depth, Set<String> few, Set<Rest> many) {
        if (id.equals(node.id())) {
            few.add(id);
        } else if (id.startsWith(MEMBERS)) {
            Node of = node(state, id.substring(MEMBERS.length()));
            expand(state, of, depth + 1, few, many);
        } else {
            expand(state, node(state, id), depth, few, many);
        }
    }

    /**
     * What stands for a node in the list of outbound nodes of the Steps or DAG node around it: its
     * own outbound nodes, unless they are many.
     */
    public static List<String> brief(WorkflowState state, Node node) {
        Set<String> few = new LinkedHashSet<>();
        Set<Rest> many = new LinkedHashSet<>();
        expand(state, node, 1, few, many);
        return many.isEmpty() ? List.copyOf(few) : List.of(members(node.id()));
    }

    private static @Nullable String lastChild(WorkflowState state, String id) {
        int count = state.childCount(id);
        return count == 0 ? null : state.children(id, count - 1, 1).getFirst();
    }

    /** The outbound nodes of a node. */
    public static List<String> of(WorkflowState state, Node node) {
        return switch (node.type()) {
            case SKIPPED, SUSPEND, HTTP, PLUGIN -> List.of(node.id());
            // Of a container set those on which no other container depends.
            case POD -> leaves(state, node, node.id());
            case CONTAINER ->
                    leaves(state, node, node.boundaryId() == null ? "" : node.boundaryId());
            case TASK_GROUP, STEP_GROUP -> {
                Set<String> all = ofMembers(state, state.children(node.id()));
                yield all.isEmpty() ? List.of(node.id()) : List.copyOf(all);
            }
            // The last child as it is: neither expanded nor filtered.
            case RETRY -> {
                String last = lastChild(state, node.id());
                yield List.of(last == null ? node.id() : last);
            }
            case STEPS, DAG -> {
                Set<String> all = new LinkedHashSet<>();
                for (String id : shown(state, node)) {
                    if (id.equals(node.id())) {
                        all.add(id);
                    } else {
                        all.addAll(of(state, node(state, id)));
                    }
                }
                yield all.isEmpty() ? List.of(node.id()) : List.copyOf(all);
            }
        };
    }

    /** The outbound nodes of some members of a group. */
    public static Set<String> ofMembers(WorkflowState state, List<String> members) {
        Set<String> all = new LinkedHashSet<>();
        members.forEach(id -> all.addAll(of(state, node(state, id))));
        return all;
    }

    /** What stands in a node for the outbound nodes of another one. */
    public static String members(String nodeId) {
        return MEMBERS + nodeId;
    }

    /** The outbound nodes of a Steps or DAG node as clients see them; none of others. */
    public static List<String> shown(WorkflowState state, Node node) {
        List<String> written = NodeLists.outbound(state, node);
        if (written.stream().noneMatch(id -> id.startsWith(MEMBERS))) {
            return written;
        }
        Set<String> all = new LinkedHashSet<>();
        for (String id : written) {
            if (id.startsWith(MEMBERS)) {
                all.addAll(of(state, node(state, id.substring(MEMBERS.length()))));
            } else {
                all.add(id);
            }
        }
        return new ArrayList<>(all);
    }

    /** Containers and hooks hang below a node before anything that follows it. */
    private static List<String> leaves(WorkflowState state, Node node, String podId) {
        Set<String> all = new LinkedHashSet<>();
        int from = 0;
        while (true) {
            List<String> page = state.children(node.id(), from, FEW);
            for (String id : page) {
                Node child = node(state, id);
                if (child.type() == NodeType.CONTAINER && podId.equals(child.boundaryId())) {
                    all.addAll(leaves(state, child, podId));
                } else if (!child.hooked() || !node.id().equals(child.ownerId())) {
                    page = List.of();
                    break;
                }
            }
            if (page.size() < FEW) {
                return all.isEmpty() ? List.of(node.id()) : List.copyOf(all);
            }
            from += FEW;
        }
    }

    private static Node node(WorkflowState state, String id) {
        return Objects.requireNonNull(state.node(id), () -> "no node " + id);
    }
}
