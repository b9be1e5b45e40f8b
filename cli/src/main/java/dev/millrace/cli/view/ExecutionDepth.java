package dev.millrace.cli.view;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * How many nodes came before each one. Times of nodes are whole seconds, so many start at the same
 * time; this tells which of them waited for which.
 */
final class ExecutionDepth {

    private final Map<String, Integer> depths = new HashMap<>();

    /**
     * @param nodes {@code status.nodes}; nodes in a circle, which no engine makes, count as first
     */
    ExecutionDepth(JsonNode nodes) {
        Map<String, Integer> before = new HashMap<>();
        nodes.properties()
                .forEach(
                        entry ->
                                entry.getValue()
                                        .path("children")
                                        .forEach(
                                                child ->
                                                        before.merge(
                                                                child.asString(""),
                                                                1,
                                                                Integer::sum)));
        Deque<String> open = new ArrayDeque<>();
        nodes.propertyNames().stream().filter(id -> !before.containsKey(id)).forEach(open::add);
        while (!open.isEmpty()) {
            String id = open.pop();
            int next = of(id) + 1;
            for (JsonNode child : nodes.path(id).path("children")) {
                String childId = child.asString("");
                depths.merge(childId, next, Math::max);
                if (before.merge(childId, -1, Integer::sum) == 0) {
                    open.add(childId);
                }
            }
        }
    }

    int of(String id) {
        return depths.getOrDefault(id, 0);
    }
}
