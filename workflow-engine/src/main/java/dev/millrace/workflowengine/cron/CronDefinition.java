package dev.millrace.workflowengine.cron;

import dev.millrace.expressions.cron.CronOptions;
import dev.millrace.expressions.cron.CronSchedule;
import dev.millrace.expressions.cron.CronSyntaxException;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.manifest.Kind;
import dev.millrace.schemas.workflow.CronWorkflowSpec;
import dev.millrace.schemas.workflow.Metadata;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneRulesProvider;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * A manifest, compiled.
 *
 * @param schedules by their text; none if one of them cannot be read
 * @param zone the name as it is written, empty for UTC
 */
public record CronDefinition(
        JsonNode manifest,
        Metadata metadata,
        CronWorkflowSpec spec,
        Map<String, CronSchedule> schedules,
        String zone) {

    static final int SUCCESSFUL_KEPT = 3;
    static final int FAILED_KEPT = 1;

    /** What may run at once. */
    enum Concurrency {
        ALLOW,
        FORBID,
        REPLACE
    }

    /** What a manifest turned out to be. */
    public sealed interface Reading {

        /** It can be scheduled. */
        record Sound(CronDefinition definition) implements Reading {}

        /** It cannot; the message says what is wrong with which field. */
        record Unsound(String message) implements Reading {}
    }

    /** Compiles a manifest of sound structure. */
    public static Reading read(JsonNode manifest) {
        CronWorkflowSpec spec;
        Metadata metadata;
        try {
            spec = Json.convert(manifest.path("spec"), CronWorkflowSpec.class);
            metadata = Json.convert(manifest.path("metadata"), Metadata.class);
        } catch (JacksonException e) {
            return new Reading.Unsound("the spec cannot be read: " + e.getOriginalMessage());
        }
        if (spec == null || metadata == null || spec.schedules().isEmpty()) {
            return new Reading.Unsound("cron workflow must have at least one schedule");
        }
        String zoneName = spec.timezone() == null ? "" : spec.timezone();
        ZoneId zone = zone(zoneName);
        if (zone == null) {
            return new Reading.Unsound("spec.timezone: unknown time zone " + zoneName);
        }
        String policy = spec.concurrencyPolicy() == null ? "" : spec.concurrencyPolicy();
        if (!List.of("", "Allow", "Forbid", "Replace").contains(policy)) {
            return new Reading.Unsound("'" + policy + "' is not a valid concurrencyPolicy");
        }
        Map<String, CronSchedule> schedules = new LinkedHashMap<>();
        for (String text : spec.schedules()) {
            try {
                schedules.put(text, CronSchedule.parse(text, CronOptions.WORKFLOWS, zone));
            } catch (CronSyntaxException e) {
                return new Reading.Unsound(
                        "cron schedule \"%s\" is malformed: %s".formatted(text, e.getMessage()));
            }
        }
        return new Reading.Sound(new CronDefinition(manifest, metadata, spec, schedules, zoneName));
    }

    /** The zone of a name of the time zone database, UTC for an empty one; null if unknown. */
    public static @Nullable ZoneId zone(String name) {
        if (name.isEmpty() || name.equals("UTC") || name.equals("Local")) {
            // The clients of this field run in containers without a zone of their own.
            return ZoneOffset.UTC;
        }
        return ZoneRulesProvider.getAvailableZoneIds().contains(name) ? ZoneId.of(name) : null;
    }

    public String name() {
        return String.valueOf(metadata.name());
    }

    public String namespace() {
        return String.valueOf(metadata.namespace());
    }

    String uid() {
        return manifest.path("metadata").path("uid").asString("");
    }

    boolean isSuspended() {
        return Boolean.TRUE.equals(spec.suspend());
    }

    Concurrency concurrency() {
        return switch (spec.concurrencyPolicy() == null ? "" : spec.concurrencyPolicy()) {
            case "Forbid" -> Concurrency.FORBID;
            case "Replace" -> Concurrency.REPLACE;
            default -> Concurrency.ALLOW;
        };
    }

    /** Empty for none. */
    String stopExpression() {
        JsonNode strategy = spec.stopStrategy();
        return strategy == null ? "" : strategy.path("expression").asString("");
    }

    int successfulKept() {
        return kept(spec.successfulJobsHistoryLimit(), SUCCESSFUL_KEPT);
    }

    int failedKept() {
        return kept(spec.failedJobsHistoryLimit(), FAILED_KEPT);
    }

    private static int kept(@Nullable Integer limit, int absent) {
        return limit == null || limit < 0 ? absent : limit;
    }

    /** Each schedule with the zone in front, as clients show those in use. */
    List<String> schedulesWithZone() {
        return spec.schedules().stream()
                .map(text -> zone.isEmpty() ? text : "CRON_TZ=" + zone + " " + text)
                .toList();
    }

    /** Name of the workflow of a scheduled time: who orders it again meets it. */
    String workflowName(java.time.Instant scheduledTime) {
        return name() + "-" + scheduledTime.getEpochSecond();
    }

    static String kindName() {
        return Kind.CRON_WORKFLOW.yamlName();
    }
}
