package dev.millrace.cli.view;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** What stands above the tree: name, state, times, parameters. */
public final class WorkflowSummary {

    private final List<String> lines = new ArrayList<>();

    private WorkflowSummary() {}

    /** The summary, one fact a line. */
    public static List<String> render(JsonNode workflow, Instant now, ZoneId zone, Style style) {
        WorkflowSummary summary = new WorkflowSummary();
        JsonNode metadata = workflow.path("metadata");
        JsonNode spec = workflow.path("spec");
        JsonNode status = workflow.path("status");
        summary.fact("Name", metadata.path("name").asString(""));
        summary.fact("Namespace", metadata.path("namespace").asString(""));
        String account = spec.path("serviceAccountName").asString("");
        summary.fact("ServiceAccount", account.isEmpty() ? "unset" : account);
        summary.fact("Status", PhaseMark.word(status.path("phase").asString(""), style));
        summary.optional("Message", WorkflowTree.clean(status.path("message").asString("")));
        summary.conditions(status.path("conditions"));
        summary.time("Created", metadata.path("creationTimestamp"), now, zone);
        summary.time("Started", status.path("startedAt"), now, zone);
        summary.time("Finished", status.path("finishedAt"), now, zone);
        Times.of(status.path("startedAt"))
                .map(
                        start ->
                                Duration.between(
                                        start, Times.of(status.path("finishedAt")).orElse(now)))
                .ifPresent(span -> summary.fact("Duration", Times.words(span)));
        summary.optional("Progress", status.path("progress").asString(""));
        summary.parameters("Parameters", spec.path("arguments").path("parameters"));
        summary.parameters("Output Parameters", status.path("outputs").path("parameters"));
        return summary.lines;
    }

    private void conditions(JsonNode conditions) {
        if (conditions.isEmpty()) {
            return;
        }
        lines.add("Conditions:");
        for (JsonNode condition : conditions) {
            String value = condition.path("status").asString("");
            String message = WorkflowTree.clean(condition.path("message").asString(""));
            fact(
                    " " + condition.path("type").asString(""),
                    message.isEmpty() ? value : message,
                    "");
        }
    }

    private void parameters(String title, JsonNode parameters) {
        if (parameters.isEmpty()) {
            return;
        }
        lines.add(title + ":");
        for (JsonNode parameter : parameters) {
            JsonNode value = parameter.path("value");
            fact(
                    "  " + parameter.path("name").asString(""),
                    value.isMissingNode()
                            ? ""
                            : WorkflowTree.clean(value.asString(value.toString())));
        }
    }

    private void time(String name, JsonNode value, Instant now, ZoneId zone) {
        Times.of(value).ifPresent(time -> fact(name, Times.withAge(time, now, zone)));
    }

    private void optional(String name, String value) {
        if (!value.isEmpty()) {
            fact(name, value);
        }
    }

    private void fact(String name, String value) {
        fact(name, value, ":");
    }

    private void fact(String name, String value, String colon) {
        lines.add("%-20s %s".formatted(name + colon, value).stripTrailing());
    }
}
