package dev.millrace.cli.view;

import dev.millrace.cli.view.Style.Colour;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Events in lists, and one event with what became of it. */
public final class EventPicture {

    private EventPicture() {}

    /** One a line. */
    public static List<String> list(JsonNode events, Instant now) {
        Table table =
                new Table(
                        "ID", "NAMESPACE", "SOURCE", "EVENT", "TYPE", "AGE", "BYTES", "DECISIONS");
        for (JsonNode event : events) {
            table.row(
                    event.path("id").asString(""),
                    event.path("namespace").asString(""),
                    event.path("source").asString(""),
                    event.path("subject").asString(""),
                    event.path("type").asString(""),
                    Times.of(event.path("time"))
                            .map(t -> Times.brief(Duration.between(t, now)))
                            .orElse(""),
                    Integer.toString(event.path("size").asInt(0)),
                    Integer.toString(event.path("decisions").asInt(0)));
        }
        return table.lines();
    }

    /** An event, the decisions about it in their order, and the workflows that came of it. */
    public static List<String> show(JsonNode event, Style style) {
        List<String> lines = new ArrayList<>();
        fact(lines, "ID", event.path("id").asString(""));
        fact(
                lines,
                "Event",
                "%s/%s/%s"
                        .formatted(
                                event.path("namespace").asString(""),
                                event.path("source").asString(""),
                                event.path("subject").asString("")));
        fact(lines, "Type", event.path("type").asString(""));
        fact(lines, "Time", event.path("time").asString(""));
        fact(
                lines,
                "Place in the log",
                "partition %d, offset %d"
                        .formatted(
                                event.path("partition").asInt(0), event.path("offset").asLong(0)));
        lines.add("Data:");
        lines.add("  " + WorkflowTree.clean(event.path("data").asString("")));
        if (event.path("dataTruncated").asBoolean(false)) {
            lines.add("  … (only the beginning is shown)");
        }
        lines.add("Decisions:");
        if (event.path("decisions").isEmpty()) {
            lines.add("  none: no sensor waits for this event, or it has not been looked at yet");
        }
        for (JsonNode decision : event.path("decisions")) {
            lines.add("  " + decision(decision, style));
        }
        for (JsonNode activation : event.path("activations")) {
            for (JsonNode workflow : activation.path("workflows")) {
                fact(lines, "Workflow", workflow.asString(""));
            }
        }
        return lines;
    }

    /** {@code sensor/trigger dependency: outcome, reason}. */
    public static String decision(JsonNode decision, Style style) {
        String trigger = decision.path("trigger").asString("");
        String dependency = decision.path("dependency").asString("");
        String outcome = decision.path("outcome").asString("");
        String reason = WorkflowTree.clean(decision.path("reason").asString(""));
        Colour colour =
                switch (outcome) {
                    case "matched", "fired", "dispatched" -> Colour.GREEN;
                    case "failed" -> Colour.RED;
                    case "pending", "retried" -> Colour.YELLOW;
                    default -> Colour.GREY;
                };
        String kind = decision.path("kind").asString("");
        return "%s %s%s%s: %s%s"
                .formatted(
                        kind.isEmpty() ? "sensor" : kind,
                        decision.path("sensor").asString(""),
                        trigger.isEmpty() || !kind.isEmpty() ? "" : ", trigger " + trigger,
                        dependency.isEmpty() ? "" : ", dependency " + dependency,
                        style.paint(colour, outcome),
                        reason.isEmpty() ? "" : " (" + reason + ")");
    }

    private static void fact(List<String> lines, String name, String value) {
        lines.add("%-20s %s".formatted(name + ":", value).stripTrailing());
    }
}
