package dev.millrace.server.endtoend;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** Whether a finished workflow could have come out, where chance has a part in it. */
final class PossibleTree {
    private static final Set<String> ENDS =
            Set.of("Succeeded", "Failed", "Error", "Skipped", "Omitted");
    private static final Set<String> BAD = Set.of("Failed", "Error");

    private final JsonNode workflow;
    private final Map<String, JsonNode> nodes = new HashMap<>();
    private final List<String> problems = new ArrayList<>();

    private PossibleTree(JsonNode workflow) {
        this.workflow = workflow;
        workflow.path("status")
                .path("nodes")
                .properties()
                .forEach(n -> nodes.put(n.getKey(), n.getValue()));
    }

    /** What must hold of every finished workflow: the problems, empty if there are none. */
    static List<String> problems(JsonNode workflow) {
        PossibleTree tree = new PossibleTree(workflow);
        tree.nodes.forEach(tree::check);
        return tree.problems;
    }

    /**
     * As {@link #problems(JsonNode)}, and compared with what chance made of it elsewhere.
     *
     * @param limit the most retries that a node of it may have
     */
    static List<String> problems(JsonNode recorded, JsonNode workflow, int limit) {
        PossibleTree tree = new PossibleTree(workflow);
        tree.nodes.forEach(tree::check);
        tree.nodes.values().forEach(n -> tree.checkRetries(n, limit));
        tree.nodes.values().forEach(tree::checkCoin);
        tree.checkKinds(recorded);
        return tree.problems;
    }

    private void check(String id, JsonNode node) {
        String name = text(node, "name");
        String root = text(workflow.path("metadata"), "name");
        say(id.equals(text(node, "id")), name + " has the id of another");
        say(id.equals(name.equals(root) ? root : root + "-" + hash(name)), name + " has id " + id);
        say(ENDS.contains(text(node, "phase")), name + " is " + text(node, "phase"));
        node.path("children")
                .forEach(
                        c ->
                                say(
                                        nodes.containsKey(c.asString("")),
                                        name + " has an unknown child " + c));
        String boundary = text(node, "boundaryID");
        say(boundary.isEmpty() || nodes.containsKey(boundary), name + " has an unknown boundary");
        if (name.equals(root)) {
            String phase = workflow.path("status").path("phase").asString("");
            say(
                    phase.equals(text(node, "phase")),
                    "the workflow is " + phase + " and its root is not");
        }
    }

    /** Attempts are numbered from 0, all but the last went wrong, and the last decides. */
    private void checkRetries(JsonNode node, int limit) {
        if (!text(node, "type").equals("Retry")) {
            return;
        }
        String name = text(node, "name");
        List<JsonNode> attempts =
                children(node).filter(c -> text(c, "name").startsWith(name + "(")).toList();
        for (int i = 0; i < attempts.size(); i++) {
            JsonNode attempt = attempts.get(i);
            boolean last = i == attempts.size() - 1;
            say(
                    text(attempt, "name").equals(name + "(" + i + ")"),
                    name + ": attempt " + i + " is " + text(attempt, "name"));
            say(
                    last || BAD.contains(text(attempt, "phase")),
                    name + ": retried after " + text(attempt, "phase"));
            if (last) {
                say(
                        BAD.contains(text(attempt, "phase")) == BAD.contains(text(node, "phase")),
                        name + " does not end as its last attempt");
            }
        }
        say(!attempts.isEmpty(), name + " has no attempt");
        say(
                attempts.size() <= limit + 1,
                name + " was retried " + (attempts.size() - 1) + " times");
        if (text(node, "message").equals("No more retries left")) {
            say(
                    attempts.size() == limit + 1,
                    name + " gave up after " + attempts.size() + " attempts");
        }
    }

    /** The side that came up runs, the other is skipped and says what was compared. */
    private void checkCoin(JsonNode node) {
        String name = text(node, "name");
        String side = text(node, "displayName");
        if (!side.equals("heads") && !side.equals("tails")) {
            return;
        }
        String flip =
                name.endsWith("[1]." + side)
                        ? name.substring(0, name.length() - ("[1]." + side).length())
                                + "[0].flip-coin"
                        : name.substring(0, name.length() - side.length()) + "flip-coin";
        String up =
                nodes.values().stream()
                        .filter(n -> text(n, "name").equals(flip))
                        .map(n -> n.path("outputs").path("result").asString(""))
                        .findFirst()
                        .orElse("no coin at " + flip);
        say(Set.of("heads", "tails").contains(up), name + ": the coin shows " + up);
        boolean skipped = text(node, "phase").equals("Skipped");
        say(
                skipped != up.equals(side),
                name + " is " + text(node, "phase") + " though " + up + " is up");
        String why = "when '" + up + " == " + side + "' evaluated false";
        say(
                text(node, "message").equals(skipped ? why : "") || !skipped,
                name + ": " + text(node, "message"));
    }

    /** Chance decides how often and which, never what kind of node stands under a name. */
    private void checkKinds(JsonNode recorded) {
        Set<String> known = kinds(recorded.path("nodes"));
        Set<String> coins = Set.of("Leaf heads", "Leaf tails", "Steps tails");
        Set<String> made = kinds(workflow.path("status").path("nodes"));
        made.removeAll(known);
        made.removeAll(coins);
        say(made.isEmpty(), "never seen elsewhere: " + made);
    }

    private static Set<String> kinds(JsonNode nodes) {
        return nodes.valueStream()
                .filter(n -> n.has("boundary") || n.has("boundaryID"))
                .map(n -> kind(n) + " " + text(n, "displayName").replaceAll("\\d+[a-z]?\\b", "#"))
                .collect(Collectors.toSet());
    }

    /** A pod may be skipped. */
    private static String kind(JsonNode node) {
        String type = text(node, "type");
        return type.equals("Pod") || type.equals("Skipped") ? "Leaf" : type;
    }

    private Stream<JsonNode> children(JsonNode node) {
        return node.path("children")
                .valueStream()
                .map(c -> nodes.get(c.asString("")))
                .filter(n -> n != null);
    }

    private void say(boolean holds, String problem) {
        if (!holds) {
            problems.add(problem);
        }
    }

    private static String text(JsonNode node, String field) {
        return node.path(field).asString("");
    }

    /** FNV-1a of 32 bits. */
    private static String hash(String text) {
        int hash = 0x811c9dc5;
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (b & 0xff)) * 0x01000193;
        }
        return Integer.toUnsignedString(hash);
    }
}
