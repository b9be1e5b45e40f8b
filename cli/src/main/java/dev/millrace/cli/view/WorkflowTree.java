package dev.millrace.cli.view;

import dev.millrace.workflowengine.core.NodeNames;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** The tree of a workflow's nodes as {@code argo get} draws it. */
public final class WorkflowTree {

    private final NodeForest forest;
    private final String workflow;
    private final Instant now;
    private final Style style;
    private final Table table = new Table("STEP", "TEMPLATE", "PODNAME", "DURATION", "MESSAGE");

    private WorkflowTree(JsonNode workflow, Instant now, Style style) {
        this.workflow = workflow.path("metadata").path("name").asString("");
        this.forest = new NodeForest(this.workflow, workflow.path("status").path("nodes"));
        this.now = now;
        this.style = style;
    }

    /**
     * The header of the table and one line a node; nothing if there are no nodes yet.
     *
     * @param workflow as the server sends it
     * @param now what the durations of unfinished nodes are counted to
     */
    public static List<String> render(JsonNode workflow, Instant now) {
        return render(workflow, now, Style.PLAIN);
    }

    /** {@link #render(JsonNode, Instant)}, coloured if the style says so. */
    public static List<String> render(JsonNode workflow, Instant now, Style style) {
        WorkflowTree tree = new WorkflowTree(workflow, now, style);
        List<String> lines = new ArrayList<>();
        boolean first = true;
        for (JsonNode root : tree.forest.roots()) {
            if (!first) {
                // A tree of its own, the exit handler's as a rule, stands apart.
                tree.table.row("", "", "", "", "");
            }
            first = false;
            tree.draw(root, " ", " ");
        }
        if (!tree.table.isEmpty()) {
            lines.addAll(tree.table.lines());
        }
        return lines;
    }

    /**
     * Draws a node and what is inside.
     *
     * @param lead what stands before the first line of it
     * @param rest what stands before its further lines
     */
    private void draw(JsonNode node, String lead, String rest) {
        List<JsonNode> inside = forest.inside(node);
        if (!forest.isTransparent(node)) {
            line(node, lead);
            for (int i = 0; i < inside.size(); i++) {
                boolean last = i == inside.size() - 1;
                draw(inside.get(i), rest + (last ? "└─" : "├─"), rest + (last ? "  " : "│ "));
            }
        } else if (NodeForest.type(node).equals("Retry")) {
            draw(inside.getFirst(), lead, rest);
        } else {
            drawGroup(inside, lead, rest);
        }
    }

    /** Steps that run side by side hang at one fork. */
    private void drawGroup(List<JsonNode> steps, String lead, String rest) {
        for (int i = 0; i < steps.size(); i++) {
            boolean last = i == steps.size() - 1;
            String fork = steps.size() == 1 ? "──" : i == 0 ? "┬─" : last ? "└─" : "├─";
            draw(steps.get(i), (i == 0 ? lead : rest) + fork, rest + (last ? "  " : "│ "));
        }
    }

    private void line(JsonNode node, String lead) {
        String mark =
                PhaseMark.of(
                        node.path("phase").asString(""),
                        NodeForest.type(node).equals("Suspend"),
                        style);
        table.row(
                lead
                        + mark
                        + " "
                        + clean(node.path("displayName").asString(node.path("name").asString(""))),
                template(node),
                podName(node),
                duration(node),
                clean(node.path("message").asString("")));
    }

    private static String template(JsonNode node) {
        JsonNode reference = node.path("templateRef");
        if (reference.isObject()) {
            return reference.path("name").asString("")
                    + "/"
                    + reference.path("template").asString("");
        }
        return node.path("templateName").asString("");
    }

    private String podName(JsonNode node) {
        if (!NodeForest.type(node).equals("Pod")) {
            return "";
        }
        String template =
                node.path("templateRef")
                        .path("template")
                        .asString(node.path("templateName").asString(""));
        return NodeNames.podName(workflow, node.path("name").asString(""), template);
    }

    /** How long a leaf ran; frames have no time of their own. */
    private String duration(JsonNode node) {
        return switch (NodeForest.type(node)) {
            case "Pod", "HTTP", "Plugin", "Suspend" ->
                    Times.of(node.path("startedAt"))
                            .map(
                                    start ->
                                            Duration.between(
                                                    start,
                                                    Times.of(node.path("finishedAt")).orElse(now)))
                            .map(Times::brief)
                            .orElse("");
            default -> "";
        };
    }

    /** Texts of users' programs may not break the picture, nor steer the terminal. */
    static String clean(String text) {
        StringBuilder cleaned = new StringBuilder(text.length());
        text.strip()
                .codePoints()
                .forEach(
                        c -> {
                            if (c == '\n' || c == '\t') {
                                cleaned.append(' ');
                            } else if (!Character.isISOControl(c)) {
                                cleaned.appendCodePoint(c);
                            }
                        });
        return cleaned.toString();
    }
}
