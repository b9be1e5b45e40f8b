package dev.millrace.cli.view;

import com.github.difflib.DiffUtils;
import com.github.difflib.UnifiedDiffUtils;
import dev.millrace.schemas.Json;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * In what two workflows differ: in how they ended, in their parameters, node by node, and in what
 * they were told to do. Names of their own, and those of their pods, are no difference.
 */
public final class WorkflowComparison {

    private static final int CONTEXT = 2;

    private final ComparedWorkflow left;
    private final ComparedWorkflow right;

    private WorkflowComparison(JsonNode left, JsonNode right) {
        this.left = new ComparedWorkflow(left);
        this.right = new ComparedWorkflow(right);
    }

    /**
     * Compares.
     *
     * @return {@code same}, {@code workflow}, {@code parameters}, {@code nodes} and {@code spec};
     *     the differences as {@code {"left": …, "right": …}} by what differs. Durations are told,
     *     but two workflows are the same whatever they took
     */
    public static ObjectNode of(JsonNode left, JsonNode right) {
        return new WorkflowComparison(left, right).compare();
    }

    private ObjectNode compare() {
        ObjectNode workflow = differences(left.facts(), right.facts());
        ObjectNode parameters = differences(left.parameters(), right.parameters());
        ArrayNode nodes = nodes();
        String spec = spec();
        boolean same =
                counts(workflow) == 0
                        && parameters.isEmpty()
                        && spec.isEmpty()
                        && nodes.valueStream()
                                .allMatch(
                                        node ->
                                                counts(node.path("changed")) == 0
                                                        && !node.has("only"));
        ObjectNode comparison = Json.object().put("same", same);
        comparison.set("workflow", workflow);
        comparison.set("parameters", parameters);
        comparison.set("nodes", nodes);
        return comparison.put("spec", spec);
    }

    private static long counts(JsonNode differences) {
        return differences.propertyStream().filter(d -> !d.getKey().equals("duration")).count();
    }

    private ArrayNode nodes() {
        Map<String, JsonNode> of = left.nodes();
        Map<String, JsonNode> against = right.nodes();
        Set<String> names = new LinkedHashSet<>(of.keySet());
        names.addAll(against.keySet());
        ArrayNode nodes = Json.mapper().createArrayNode();
        for (String name : names) {
            JsonNode one = of.get(name);
            JsonNode other = against.get(name);
            if (one == null || other == null) {
                JsonNode there = one == null ? other : one;
                nodes.addObject()
                        .put("name", name)
                        .put("only", one == null ? "right" : "left")
                        .put("phase", there == null ? "" : there.path("phase").asString(""));
                continue;
            }
            ObjectNode changed =
                    differences(ComparedWorkflow.facts(one), ComparedWorkflow.facts(other));
            if (!changed.isEmpty()) {
                nodes.addObject().put("name", name).set("changed", changed);
            }
        }
        return nodes;
    }

    private ObjectNode differences(
            SequencedMap<String, String> of, SequencedMap<String, String> against) {
        ObjectNode differences = Json.object();
        Set<String> names = new LinkedHashSet<>(of.keySet());
        names.addAll(against.keySet());
        for (String name : names) {
            String one = of.get(name);
            String other = against.get(name);
            boolean same =
                    one != null
                            && other != null
                            && (one.equals(other)
                                    || left.neutral(one).equals(right.neutral(other)));
            if (!same) {
                ObjectNode difference = differences.putObject(name);
                difference.put("left", one);
                difference.put("right", other);
            }
        }
        return differences;
    }

    /** The text of the specs as a unified difference; empty if they are equal. */
    private String spec() {
        List<String> of = left.spec().lines().toList();
        List<String> against = right.spec().lines().toList();
        return String.join(
                "\n",
                UnifiedDiffUtils.generateUnifiedDiff(
                        left.name(), right.name(), of, DiffUtils.diff(of, against), CONTEXT));
    }
}
