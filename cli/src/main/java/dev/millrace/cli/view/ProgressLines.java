package dev.millrace.cli.view;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * What changed between two looks at a workflow, one node a line: the tree for where nothing can be
 * redrawn.
 */
public final class ProgressLines {

    private final Map<String, String> phases = new HashMap<>();
    private final Style style;

    public ProgressLines(Style style) {
        this.style = style;
    }

    /** Lines about nodes that have a new phase since the last call. */
    public List<String> next(JsonNode workflow) {
        List<JsonNode> changed = new ArrayList<>();
        workflow.path("status")
                .path("nodes")
                .properties()
                .forEach(
                        entry -> {
                            JsonNode node = entry.getValue();
                            String phase = node.path("phase").asString("");
                            boolean isNew = !phase.equals(phases.put(entry.getKey(), phase));
                            if (isNew && isWorthALine(node, phase)) {
                                changed.add(node);
                            }
                        });
        ExecutionDepth depth = new ExecutionDepth(workflow.path("status").path("nodes"));
        changed.sort(
                Comparator.comparing(ProgressLines::lastTime)
                        .thenComparing(ProgressLines::isFinishedFrame)
                        .thenComparingInt(node -> depth.of(node.path("id").asString("")))
                        .thenComparing(
                                node -> node.path("name").asString(""), NodeForest::compareNames));
        return changed.stream().map(this::line).toList();
    }

    /** Steps are pending for a moment only, unless something says what they wait for. */
    private static boolean isWorthALine(JsonNode node, String phase) {
        boolean pending = phase.isEmpty() || phase.equals("Pending");
        return !NodeForest.type(node).equals("StepGroup")
                && (!pending || !node.path("message").asString("").isEmpty());
    }

    /** What stands around others ends after them. */
    private static boolean isFinishedFrame(JsonNode node) {
        return switch (NodeForest.type(node)) {
            case "Steps", "DAG", "TaskGroup", "Retry" ->
                    !node.path("finishedAt").asString("").isEmpty();
            default -> false;
        };
    }

    private static Instant lastTime(JsonNode node) {
        return Times.of(node.path("finishedAt"))
                .or(() -> Times.of(node.path("startedAt")))
                .orElse(Instant.MAX);
    }

    private String line(JsonNode node) {
        String phase = node.path("phase").asString("");
        String message = WorkflowTree.clean(node.path("message").asString(""));
        return " %s %s %s%s"
                .formatted(
                        PhaseMark.of(phase, NodeForest.type(node).equals("Suspend"), style),
                        WorkflowTree.clean(node.path("name").asString("")),
                        phase.isEmpty() ? "Pending" : phase,
                        message.isEmpty() ? "" : ": " + message);
    }
}
