package dev.millrace.cli.command;

import dev.millrace.cli.CommandException;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.Surroundings;
import dev.millrace.cli.client.ApiClient;
import dev.millrace.cli.client.ApiException;
import dev.millrace.cli.client.CronWorkflows;
import dev.millrace.cli.client.Workflows;
import dev.millrace.expressions.cron.CronSchedule;
import dev.millrace.schemas.Json;
import dev.millrace.workflowengine.cron.CronDefinition;
import dev.millrace.workflowengine.cron.ScheduledWorkflow;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One workflow for each scheduled time of a span in the past. Their names follow from the time, so
 * the same backfill once more starts only what is missing.
 */
@Command(
        name = "backfill",
        description = {
            "Starts the workflow of a CronWorkflow for each scheduled time of a span.",
            "Without --parallel one after the other. Names follow from --name and the time: run again, it starts only what"
                    + " is missing. The workflows do not count for the history and the policies of the CronWorkflow."
        })
final class CronBackfill implements Callable<Integer> {

    private static final int LONGEST_NAME = 63;
    private static final int CONFLICT = 409;

    /** As Go writes times, which is what workflows that are made for backfills get. */
    private static final DateTimeFormatter VALUE =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss '+0000 UTC'", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);

    private final Surroundings surroundings;

    @Parameters(paramLabel = "NAME", description = "Name of the CronWorkflow.")
    String cron = "";

    @Option(
            names = "--start",
            paramLabel = "TIME",
            required = true,
            description =
                    "Begin of the span, included: 2026-01-31, 2026-01-31T12:00:00Z or 'Sat, 31 Jan 2026 12:00:00 GMT'.")
    String start = "";

    @Option(
            names = "--end",
            paramLabel = "TIME",
            description = "End of the span, included; without it, now.")
    String end = "";

    @Option(names = "--parallel", description = "Start all at once.")
    boolean parallel;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "Name of the backfill, for another one over the same span.")
    String name = "backfill";

    @Option(
            names = "--argname",
            paramLabel = "NAME",
            description = "Parameter that gets the scheduled time; cronScheduleTime by default.")
    String argument = "cronScheduleTime";

    @Option(
            names = "--maxworkflowcount",
            paramLabel = "NUMBER",
            description = "Start nothing if there would be more; 1000 by default.")
    int most = 1000;

    @Mixin final ServerOptions server = new ServerOptions();

    CronBackfill(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        Instant from = time("--start", start);
        Instant to = end.isEmpty() ? surroundings.clock().instant() : time("--end", end);
        String namespace = server.namespace(surroundings);
        try (ApiClient api = server.connect(surroundings)) {
            NavigableSet<Instant> times =
                    times(new CronWorkflows(api).get(namespace, cron), from, to);
            if (times.isEmpty()) {
                surroundings
                        .out()
                        .println("There is no scheduled time between " + from + " and " + to);
                return ExitCode.OK;
            }
            surroundings
                    .out()
                    .println(
                            "Backfill %s of CronWorkflow %s: %d scheduled times from %s to %s"
                                    .formatted(
                                            name, cron, times.size(), times.first(), times.last()));
            return run(new Workflows(api), namespace, times);
        }
    }

    private int run(Workflows workflows, String namespace, NavigableSet<Instant> times) {
        int code = ExitCode.OK;
        int number = 0;
        for (Instant time : times) {
            String workflow = workflowName(cron, name, time);
            boolean started = start(workflows, namespace, workflow, time);
            surroundings
                    .out()
                    .println(
                            "%d. %s %s %s"
                                    .formatted(
                                            ++number,
                                            workflow,
                                            time,
                                            started ? "started" : "is there already"));
            if (!parallel) {
                code =
                        Math.max(
                                code,
                                WaitCommand.await(workflows, namespace, workflow, surroundings));
            }
        }
        return code;
    }

    /** False if it is there already. */
    private boolean start(Workflows workflows, String namespace, String workflow, Instant time) {
        ObjectNode options = Json.object();
        options.put("name", workflow);
        options.put("labels", ScheduledWorkflow.BACKFILL + "=" + cron);
        options.put("annotations", ScheduledWorkflow.SCHEDULED_TIME + "=" + time);
        options.putArray("parameters").add(argument + "=" + VALUE.format(time));
        try {
            workflows.submit(namespace, "CronWorkflow", cron, options);
            return true;
        } catch (ApiException e) {
            if (e.status() == CONFLICT && isOurs(workflows, namespace, workflow)) {
                return false;
            }
            throw e;
        }
    }

    private boolean isOurs(Workflows workflows, String namespace, String workflow) {
        return workflows
                .get(namespace, workflow)
                .path("metadata")
                .path("labels")
                .path(ScheduledWorkflow.BACKFILL)
                .asString("")
                .equals(cron);
    }

    private NavigableSet<Instant> times(JsonNode manifest, Instant from, Instant to) {
        return switch (CronDefinition.read(manifest)) {
            case CronDefinition.Reading.Unsound(String message) ->
                    throw CommandException.refused(cron + ": " + message);
            case CronDefinition.Reading.Sound(CronDefinition definition) -> {
                NavigableSet<Instant> times = new TreeSet<>();
                for (CronSchedule schedule : definition.schedules().values()) {
                    add(times, schedule, from, to);
                }
                yield times;
            }
        };
    }

    private void add(NavigableSet<Instant> times, CronSchedule schedule, Instant from, Instant to) {
        Optional<Instant> next = schedule.next(from.minusMillis(1));
        while (next.isPresent() && !next.get().isAfter(to)) {
            times.add(next.get());
            if (times.size() > most) {
                throw CommandException.refused(
                        "there are more than %d scheduled times between %s and %s; give a shorter span, or a larger --maxworkflowcount"
                                .formatted(most, from, to));
            }
            next = schedule.next(next.get());
        }
    }

    /** Long names are cut, and keep apart by a hash. */
    static String workflowName(String cron, String backfill, Instant time) {
        String end = "-" + time.getEpochSecond();
        String full = cron + "-" + backfill;
        if (full.length() + end.length() <= LONGEST_NAME) {
            return full + end;
        }
        String hash = "-" + Integer.toHexString(full.hashCode());
        int kept = LONGEST_NAME - end.length() - hash.length();
        return full.substring(0, kept).replaceAll("[-.]+$", "") + hash + end;
    }

    private static Instant time(String option, String text) {
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException e) {
            // Another form, perhaps.
        }
        try {
            return LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
        } catch (DateTimeException e) {
            // Another form, perhaps.
        }
        try {
            return Instant.from(
                    DateTimeFormatter.RFC_1123_DATE_TIME.parse(text.replace("UTC", "GMT")));
        } catch (DateTimeException e) {
            throw CommandException.usage(
                    "%s %s: a time such as 2026-01-31 or 2026-01-31T12:00:00Z is expected"
                            .formatted(option, text));
        }
    }
}
