package dev.millrace.workflowengine.core;

import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.NodeType;
import dev.millrace.workflowengine.state.NodeLists;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The nodes below which whatever follows a node is hung. */
final class Outbound {

    private Outbound() {}

    static List<String> of(Transition t, Node node) {
        return switch (node.type()) {
            case SKIPPED, SUSPEND, HTTP, PLUGIN -> List.of(node.id());
            // Of a container set those on which no other container depends.
            case POD -> leaves(t, node, node.id());
            case CONTAINER -> leaves(t, node, node.boundaryId() == null ? "" : node.boundaryId());
            case TASK_GROUP, STEP_GROUP -> {
                Set<String> all = new LinkedHashSet<>();
                t.state().children(node.id()).forEach(c -> all.addAll(of(t, t.node(c))));
                yield all.isEmpty() ? List.of(node.id()) : List.copyOf(all);
            }
            // The last child as it is: neither expanded nor filtered.
            case RETRY -> {
                List<String> children = t.state().children(node.id());
                yield children.isEmpty() ? List.of(node.id()) : List.of(children.getLast());
            }
            case STEPS, DAG -> {
                Set<String> all = new LinkedHashSet<>();
                for (String id : NodeLists.outbound(t.state(), node)) {
                    if (id.equals(node.id())) {
                        all.add(id);
                    } else {
                        all.addAll(of(t, t.node(id)));
                    }
                }
                yield all.isEmpty() ? List.of(node.id()) : List.copyOf(all);
            }
        };
    }

    private static List<String> leaves(Transition t, Node node, String podId) {
        Set<String> all = new LinkedHashSet<>();
        for (String id : t.state().children(node.id())) {
            Node child = t.node(id);
            if (child.type() == NodeType.CONTAINER && podId.equals(child.boundaryId())) {
                all.addAll(leaves(t, child, podId));
            }
        }
        return all.isEmpty() ? List.of(node.id()) : List.copyOf(all);
    }
}
