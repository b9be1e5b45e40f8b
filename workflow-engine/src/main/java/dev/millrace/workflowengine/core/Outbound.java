package dev.millrace.workflowengine.core;

import dev.millrace.schemas.record.Node;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The nodes below which whatever follows a node is hung. */
final class Outbound {

    private Outbound() {}

    static List<String> of(Transition t, Node node) {
        return switch (node.type()) {
            case POD, SKIPPED, SUSPEND, HTTP, PLUGIN -> List.of(node.id());
            case CONTAINER, TASK_GROUP, STEP_GROUP -> {
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
                for (String id : node.outboundNodes()) {
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
}
