package dev.millrace.cli.view;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * The nodes of a workflow by containment. In the object {@code children} is the order of execution,
 * so a node is placed by its boundary (the Steps or DAG node around it, the pod around a
 * container), except what belongs to a group within the boundary: the steps of a StepGroup, the
 * attempts of a Retry, the items of a TaskGroup.
 */
final class NodeForest {

    private final Map<String, JsonNode> nodes = new LinkedHashMap<>();
    private final Map<String, List<JsonNode>> inside = new LinkedHashMap<>();
    private final List<JsonNode> roots = new ArrayList<>();

    /**
     * @param workflow name of the workflow, which is the id of its first node
     * @param nodes {@code status.nodes}
     */
    NodeForest(String workflow, JsonNode nodes) {
        nodes.properties().forEach(entry -> this.nodes.put(entry.getKey(), entry.getValue()));
        ExecutionDepth depth = new ExecutionDepth(nodes);
        Comparator<JsonNode> byStart =
                Comparator.comparing(
                                (JsonNode node) ->
                                        Times.of(node.path("startedAt")).orElse(Instant.MAX))
                        .thenComparingInt(node -> depth.of(id(node)))
                        .thenComparing(
                                node -> node.path("name").asString(""), NodeForest::compareNames);
        Set<String> placed = new HashSet<>();
        this.nodes.forEach(
                (id, node) -> {
                    if (isGroup(node)) {
                        for (JsonNode child : members(node)) {
                            if (placed.add(id(child))) {
                                inside.computeIfAbsent(id, _ -> new ArrayList<>()).add(child);
                            }
                        }
                    }
                });
        for (JsonNode node : this.nodes.values()) {
            if (placed.contains(id(node))) {
                continue;
            }
            String boundary = node.path("boundaryID").asString("");
            if (this.nodes.containsKey(boundary) && !boundary.equals(id(node))) {
                inside.computeIfAbsent(boundary, _ -> new ArrayList<>()).add(node);
            } else {
                roots.add(node);
            }
        }
        inside.forEach(
                (id, list) -> {
                    // The order in a step group is that of the manifest; elsewhere nothing says it
                    // but time.
                    if (!type(nodes.path(id)).equals("StepGroup")) {
                        list.sort(byStart);
                    }
                });
        roots.sort(
                Comparator.comparingInt((JsonNode node) -> rank(workflow, node))
                        .thenComparing(byStart));
        placeWhatIsInCircles();
    }

    /** The node of the workflow first, its exit tree last. */
    List<JsonNode> roots() {
        return roots;
    }

    List<JsonNode> inside(JsonNode node) {
        return inside.getOrDefault(id(node), List.of());
    }

    /**
     * Whether a node is only the frame of others and has no line: a step group, a retry of one
     * attempt.
     */
    boolean isTransparent(JsonNode node) {
        return type(node).equals("StepGroup")
                || (type(node).equals("Retry") && inside(node).size() == 1);
    }

    static String type(JsonNode node) {
        return node.path("type").asString("");
    }

    private static String id(JsonNode node) {
        return node.path("id").asString("");
    }

    private static boolean isGroup(JsonNode node) {
        return switch (type(node)) {
            case "StepGroup", "Retry", "TaskGroup" -> true;
            default -> false;
        };
    }

    /** Children that belong to the group; others follow it in time only, which their names tell. */
    private List<JsonNode> members(JsonNode group) {
        String name = group.path("name").asString("");
        List<JsonNode> members = new ArrayList<>();
        for (JsonNode child : group.path("children")) {
            JsonNode node = nodes.get(child.asString(""));
            if (node != null) {
                String childName = node.path("name").asString("");
                boolean own =
                        childName.startsWith(name + ".")
                                || (!type(group).equals("StepGroup")
                                        && childName.startsWith(name + "("));
                if (own) {
                    members.add(node);
                }
            }
        }
        return members;
    }

    /** No node of an object from elsewhere is lost, however its boundaries point. */
    private void placeWhatIsInCircles() {
        Set<String> reached = new HashSet<>();
        Deque<JsonNode> open = new ArrayDeque<>(roots);
        while (!open.isEmpty()) {
            JsonNode node = open.pop();
            if (reached.add(id(node))) {
                open.addAll(inside(node));
            }
        }
        for (JsonNode node : nodes.values()) {
            if (!reached.contains(id(node))) {
                inside.remove(id(node));
                roots.add(node);
            }
        }
    }

    private static int rank(String workflow, JsonNode node) {
        String name = node.path("name").asString("");
        return name.equals(workflow) ? 0 : name.equals(workflow + ".onExit") ? 2 : 1;
    }

    /** Numbers in names by their value, so that item 10 stands behind item 9. */
    static int compareNames(String left, String right) {
        int i = 0;
        int j = 0;
        while (i < left.length() && j < right.length()) {
            int endLeft = digits(left, i);
            int endRight = digits(right, j);
            if (endLeft > i && endRight > j) {
                int byLength = Integer.compare(endLeft - i, endRight - j);
                int byText = left.substring(i, endLeft).compareTo(right.substring(j, endRight));
                if (byLength != 0 || byText != 0) {
                    return byLength != 0 ? byLength : byText;
                }
                i = endLeft;
                j = endRight;
            } else {
                int byCharacter = Character.compare(left.charAt(i), right.charAt(j));
                if (byCharacter != 0) {
                    return byCharacter;
                }
                i++;
                j++;
            }
        }
        return Integer.compare(left.length() - i, right.length() - j);
    }

    private static int digits(String text, int from) {
        int end = from;
        while (end < text.length() && text.charAt(end) >= '0' && text.charAt(end) <= '9') {
            end++;
        }
        return end;
    }
}
