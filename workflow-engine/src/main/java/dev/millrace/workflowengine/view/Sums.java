package dev.millrace.workflowengine.view;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.NodeType;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.node.ObjectNode;

/** Progress and used resources of several nodes together. */
final class Sums {
    private final Map<String, Long> resources = new TreeMap<>();
    private int done;
    private int total;

    /** Adds what a node did itself. */
    void add(Node node) {
        if (NodeView.EXECUTABLE.contains(node.type())) {
            int[] own = NodeView.own(node);
            done += own[0];
            total += own[1];
        }
        if (node.type() == NodeType.POD) {
            use(node);
        }
    }

    /** Adds what a node, or all that is below it, has used. */
    void use(Node node) {
        node.resourcesDuration().forEach(this::use);
    }

    void add(int moreDone, int moreTotal) {
        done += moreDone;
        total += moreTotal;
    }

    void use(String resource, long units) {
        resources.merge(resource, units, Long::sum);
    }

    int done() {
        return done;
    }

    int total() {
        return total;
    }

    Map<String, Long> resources() {
        return resources;
    }

    void show(ObjectNode view) {
        if (total > 0) {
            view.put("progress", done + "/" + total);
        }
        if (!resources.isEmpty()) {
            view.set("resourcesDuration", Json.tree(resources));
        }
    }
}
