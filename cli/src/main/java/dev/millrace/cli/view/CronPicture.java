package dev.millrace.cli.view;

import dev.millrace.workflowengine.cron.CronDefinition;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** CronWorkflows for people: as rows of a list, or one with all that is known of it. */
public final class CronPicture {

    private static final String NONE = "N/A";

    private CronPicture() {}

    /** A list. */
    public static List<String> table(List<JsonNode> crons, boolean namespaces, Instant now) {
        List<String> header = new ArrayList<>();
        if (namespaces) {
            header.add("NAMESPACE");
        }
        header.addAll(
                List.of(
                        "NAME",
                        "AGE",
                        "LAST RUN",
                        "NEXT RUN",
                        "SCHEDULES",
                        "TIMEZONE",
                        "SUSPENDED"));
        Table table = new Table(header.toArray(String[]::new));
        for (JsonNode cron : crons) {
            JsonNode metadata = cron.path("metadata");
            JsonNode spec = cron.path("spec");
            List<String> row = new ArrayList<>();
            if (namespaces) {
                row.add(metadata.path("namespace").asString(""));
            }
            row.add(metadata.path("name").asString(""));
            row.add(age(Times.of(metadata.path("creationTimestamp")), now));
            row.add(age(Times.of(cron.path("status").path("lastScheduledTime")), now));
            row.add(next(cron, now).map(t -> Times.brief(Duration.between(now, t))).orElse(NONE));
            row.add(schedules(spec));
            row.add(spec.path("timezone").asString(""));
            row.add(Boolean.toString(spec.path("suspend").asBoolean(false)));
            table.row(row.toArray(String[]::new));
        }
        return table.lines();
    }

    /** One, a fact a line. */
    public static List<String> summary(JsonNode cron, Instant now, ZoneId zone) {
        JsonNode metadata = cron.path("metadata");
        JsonNode spec = cron.path("spec");
        JsonNode status = cron.path("status");
        List<String> lines = new ArrayList<>();
        fact(lines, "Name:", metadata.path("name").asString(""));
        fact(lines, "Namespace:", metadata.path("namespace").asString(""));
        Times.of(metadata.path("creationTimestamp"))
                .ifPresent(t -> fact(lines, "Created:", Times.withAge(t, now, zone)));
        fact(lines, "Schedules:", schedules(spec));
        fact(lines, "Suspended:", Boolean.toString(spec.path("suspend").asBoolean(false)));
        optional(lines, "Timezone:", spec.path("timezone"));
        optional(lines, "StartingDeadlineSeconds:", spec.path("startingDeadlineSeconds"));
        optional(lines, "ConcurrencyPolicy:", spec.path("concurrencyPolicy"));
        optional(lines, "When:", spec.path("when"));
        optional(lines, "StopStrategy:", spec.path("stopStrategy").path("expression"));
        optional(lines, "Phase:", status.path("phase"));
        optional(lines, "Succeeded:", status.path("succeeded"));
        optional(lines, "Failed:", status.path("failed"));
        Times.of(status.path("lastScheduledTime"))
                .ifPresent(t -> fact(lines, "LastScheduledTime:", Times.withAge(t, now, zone)));
        next(cron, now)
                .ifPresent(
                        t ->
                                fact(
                                        lines,
                                        "NextScheduledTime:",
                                        t + " (in " + Times.words(Duration.between(now, t)) + ")"));
        List<String> active =
                status.path("active").valueStream().map(w -> w.path("name").asString("")).toList();
        if (!active.isEmpty()) {
            fact(lines, "Active Workflows:", String.join(", ", active));
        }
        if (!status.path("conditions").isEmpty()) {
            lines.add("Conditions:");
            for (JsonNode condition : status.path("conditions")) {
                fact(
                        lines,
                        "✖ " + condition.path("type").asString(""),
                        WorkflowTree.clean(condition.path("message").asString("")));
            }
        }
        JsonNode parameters = spec.path("workflowSpec").path("arguments").path("parameters");
        if (!parameters.isEmpty()) {
            lines.add("Workflow Parameters:");
            for (JsonNode parameter : parameters) {
                optional(
                        lines,
                        "  " + parameter.path("name").asString("") + ":",
                        parameter.path("value"));
            }
        }
        return lines;
    }

    /** When it runs next; empty if it is suspended or stopped, or has no further time. */
    static Optional<Instant> next(JsonNode cron, Instant now) {
        boolean rests =
                cron.path("spec").path("suspend").asBoolean(false)
                        || cron.path("status").path("phase").asString("").equals("Stopped");
        if (rests) {
            return Optional.empty();
        }
        return switch (CronDefinition.read(cron)) {
            case CronDefinition.Reading.Unsound _ -> Optional.empty();
            case CronDefinition.Reading.Sound(CronDefinition definition) ->
                    definition.schedules().values().stream()
                            .flatMap(schedule -> schedule.next(now).stream())
                            .min(Comparator.naturalOrder());
        };
    }

    private static String schedules(JsonNode spec) {
        return String.join(
                ",", spec.path("schedules").valueStream().map(s -> s.asString("")).toList());
    }

    private static String age(Optional<Instant> time, Instant now) {
        return time.map(t -> Times.brief(Duration.between(t, now))).orElse(NONE);
    }

    private static void optional(List<String> lines, String name, JsonNode value) {
        String text = value.isMissingNode() || value.isNull() ? "" : value.asString("");
        if (!text.isEmpty()) {
            fact(lines, name, WorkflowTree.clean(text));
        }
    }

    private static void fact(List<String> lines, String name, String value) {
        lines.add("%-30s %s".formatted(name, value).stripTrailing());
    }
}
