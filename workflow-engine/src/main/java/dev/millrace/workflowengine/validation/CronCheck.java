package dev.millrace.workflowengine.validation;

import dev.millrace.expressions.cron.CronOptions;
import dev.millrace.expressions.cron.CronSchedule;
import dev.millrace.expressions.cron.CronSyntaxException;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Checks what a CronWorkflow has beside the spec of its workflows. */
final class CronCheck {
    private static final List<String> POLICIES = List.of("Allow", "Forbid", "Replace");

    private final Findings findings;

    CronCheck(Findings findings) {
        this.findings = findings;
    }

    void check(JsonNode spec) {
        Where where = Where.ROOT.key("spec");
        JsonNode schedules = spec.path("schedules");
        if (schedules.isEmpty()) {
            findings.error(where, "cron workflow must have at least one schedule");
        }
        for (int i = 0; i < schedules.size(); i++) {
            try {
                CronSchedule unused =
                        CronSchedule.parse(
                                schedules.get(i).asString(""),
                                CronOptions.WORKFLOWS,
                                ZoneOffset.UTC);
            } catch (CronSyntaxException e) {
                findings.error(
                        where.key("schedules").index(i),
                        "cron schedule " + schedules.get(i) + " is malformed: " + e.getMessage(),
                        "five fields: minute, hour, day of month, month, day of week");
            }
        }
        String zone = spec.path("timezone").asString("");
        try {
            if (!zone.isEmpty()) {
                ZoneId unused = ZoneId.of(zone);
            }
        } catch (DateTimeException e) {
            findings.error(
                    where.key("timezone"),
                    "unknown time zone " + zone,
                    "write a name such as Europe/Berlin");
        }
        String policy = spec.path("concurrencyPolicy").asString("");
        if (!policy.isEmpty() && !POLICIES.contains(policy)) {
            findings.error(
                    where.key("concurrencyPolicy"),
                    "'" + policy + "' is not a valid concurrencyPolicy",
                    "choose one of " + String.join(", ", POLICIES));
        }
        if (spec.path("startingDeadlineSeconds").asLong(0) < 0) {
            findings.error(
                    where.key("startingDeadlineSeconds"),
                    "startingDeadlineSeconds must be positive");
        }
    }
}
