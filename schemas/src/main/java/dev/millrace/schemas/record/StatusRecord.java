package dev.millrace.schemas.record;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A record of {@code status}: how an object of the manifests is doing. Keyed by {@code
 * kind/namespace/name}.
 *
 * @param manifestVersion version of the manifest it speaks of
 * @param entries status by entry (an event of a source, a trigger of a sensor)
 * @param cron of a CronWorkflow only
 */
public record StatusRecord(
        String kind,
        String namespace,
        String name,
        long manifestVersion,
        List<Condition> conditions,
        Map<String, Entry> entries,
        Instant at,
        @Nullable CronStatus cron) {

    /** A condition in the manner of Kubernetes. */
    public record Condition(
            String type, String status, @Nullable String reason, @Nullable String message) {}

    /** The state of one entry: {@code Active}, {@code Connecting}, {@code Failed} … and why. */
    public record Entry(String state, @Nullable String message, Instant since) {}

    public StatusRecord {
        conditions = conditions == null ? List.of() : conditions;
        entries = entries == null ? Map.of() : entries;
    }

    /** The status of what is no CronWorkflow. */
    public StatusRecord(
            String kind,
            String namespace,
            String name,
            long manifestVersion,
            List<Condition> conditions,
            Map<String, Entry> entries,
            Instant at) {
        this(kind, namespace, name, manifestVersion, conditions, entries, at, null);
    }
}
