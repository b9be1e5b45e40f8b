package dev.millrace.cli.view;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** What changed between two looks at a workflow, one node a line: the tree for where nothing can be redrawn. */
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
                            if (isNew && !NodeForest.type(node).equals("StepGroup")) {
                                changed.add(node);
                            }
                        });
        changed.sort(
                Comparator.comparing(ProgressLines::lastTime)
                        .thenComparing(node -> node.path("name").asString(""), NodeForest::compareNames));
        return changed.stream().map(this::line).toList();
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
