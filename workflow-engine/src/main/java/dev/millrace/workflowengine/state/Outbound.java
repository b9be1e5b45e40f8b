package dev.millrace.workflowengine.state;

import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.NodeType;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** The nodes below which whatever follows a node is hung. */
public final class Outbound {
    /** A group with more members stands for their outbound nodes: they are found when asked for. */
    public static final int MANY = 1_000;

    private static final String MEMBERS = "~members/";

    private Outbound() {}

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
                List<String> children = state.children(node.id());
                yield children.isEmpty() ? List.of(node.id()) : List.of(children.getLast());
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

    /** What stands in a node for the members of a group and their outbound nodes. */
    public static String members(String groupId) {
        return MEMBERS + groupId;
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
                String group = id.substring(MEMBERS.length());
                all.addAll(ofMembers(state, state.children(group)));
            } else {
                all.add(id);
            }
        }
        return new ArrayList<>(all);
    }

    private static List<String> leaves(WorkflowState state, Node node, String podId) {
        Set<String> all = new LinkedHashSet<>();
        for (String id : state.children(node.id())) {
            Node child = node(state, id);
            if (child.type() == NodeType.CONTAINER && podId.equals(child.boundaryId())) {
                all.addAll(leaves(state, child, podId));
            }
        }
        return all.isEmpty() ? List.of(node.id()) : List.copyOf(all);
    }

    private static Node node(WorkflowState state, String id) {
        return Objects.requireNonNull(state.node(id), () -> "no node " + id);
    }
}
