package dev.millrace.cli.view;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;

/** Workflows, one a line. */
public final class WorkflowTable {

    private WorkflowTable() {}

    /**
     * The header and a line for each.
     *
     * @param namespaces whether to show in which namespace each is
     * @param wide whether to show progress and parameters too
     */
    public static List<String> render(
            List<JsonNode> workflows, Instant now, boolean namespaces, boolean wide, Style style) {
        Table table =
                namespaces
                        ? wide
                                ? new Table(
                                        "NAMESPACE",
                                        "NAME",
                                        "STATUS",
                                        "AGE",
                                        "DURATION",
                                        "PROGRESS",
                                        "PARAMETERS",
                                        "MESSAGE")
                                : new Table(
                                        "NAMESPACE", "NAME", "STATUS", "AGE", "DURATION", "MESSAGE")
                        : wide
                                ? new Table(
                                        "NAME",
                                        "STATUS",
                                        "AGE",
                                        "DURATION",
                                        "PROGRESS",
                                        "PARAMETERS",
                                        "MESSAGE")
                                : new Table("NAME", "STATUS", "AGE", "DURATION", "MESSAGE");
        for (JsonNode workflow : workflows) {
            table.row(cells(workflow, now, namespaces, wide, style));
        }
        return table.lines();
    }

    private static String[] cells(
            JsonNode workflow, Instant now, boolean namespaces, boolean wide, Style style) {
        JsonNode metadata = workflow.path("metadata");
        JsonNode status = workflow.path("status");
        ArrayList<String> cells = new ArrayList<>();
        if (namespaces) {
            cells.add(metadata.path("namespace").asString(""));
        }
        cells.add(metadata.path("name").asString(""));
        cells.add(PhaseMark.word(status.path("phase").asString(""), style));
        cells.add(
                Times.of(metadata.path("creationTimestamp"))
                        .map(created -> Times.brief(Duration.between(created, now)))
                        .orElse(""));
        cells.add(
                Times.of(status.path("startedAt"))
                        .map(
                                start ->
                                        Duration.between(
                                                start,
                                                Times.of(status.path("finishedAt")).orElse(now)))
                        .map(Times::brief)
                        .orElse(""));
        if (wide) {
            cells.add(status.path("progress").asString(""));
            cells.add(parameters(workflow.path("spec").path("arguments").path("parameters")));
        }
        cells.add(WorkflowTree.clean(status.path("message").asString("")));
        return cells.toArray(String[]::new);
    }

    private static String parameters(JsonNode parameters) {
        return StreamSupport.stream(parameters.spliterator(), false)
                .map(
                        p ->
                                p.path("name").asString("")
                                        + "="
                                        + p.path("value").asString(p.path("value").toString()))
                .map(WorkflowTree::clean)
                .collect(Collectors.joining(","));
    }
}
