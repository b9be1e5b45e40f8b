package dev.millrace.workflowengine.cron;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A CronWorkflow as it stands.
 *
 * @param manifest null if it is gone, or not known yet; then the rest is about its workflows
 * @param version of the manifest, or of its deletion
 * @param due when each schedule has its next time
 * @param pending runs that are ordered and not seen yet
 * @param active workflows that have not ended
 * @param ended workflows that have, as long as the history keeps them
 * @param conditions messages by type; those that are absent do not hold
 */
public record CronState(
        @Nullable JsonNode manifest,
        long version,
        Map<String, Instant> due,
        List<Pending> pending,
        List<Run> active,
        List<Ended> ended,
        @Nullable Instant lastScheduledTime,
        long succeeded,
        long failed,
        boolean stopped,
        Map<String, String> conditions) {

    static final CronState EMPTY =
            new CronState(
                    null, -1, Map.of(), List.of(), List.of(), List.of(), null, 0, 0, false,
                    Map.of());

    /**
     * A run that is ordered.
     *
     * @param before the last scheduled time until then
     */
    public record Pending(Instant scheduledTime, String workflow, @Nullable Instant before) {}

    /**
     * A workflow that runs.
     *
     * @param owned whether it goes when the CronWorkflow goes
     */
    public record Run(String workflow, String uid, boolean owned) {
        public Run {
            Objects.requireNonNull(workflow, "a workflow without a name");
            Objects.requireNonNull(uid, "a workflow without a uid");
        }
    }

    /** A workflow that has ended. */
    public record Ended(Run run, boolean succeeded, Instant at) {}

    public CronState {
        due = due == null ? Map.of() : due;
        pending = pending == null ? List.of() : pending;
        active = active == null ? List.of() : active;
        ended = ended == null ? List.of() : ended;
        conditions = conditions == null ? Map.of() : conditions;
    }

    /** Whether there is nothing left to know. */
    boolean isNothing() {
        return manifest == null && pending.isEmpty() && active.isEmpty() && ended.isEmpty();
    }

    boolean isKnown(String uid) {
        return active.stream().anyMatch(r -> r.uid().equals(uid))
                || ended.stream().anyMatch(e -> e.run().uid().equals(uid));
    }
}
