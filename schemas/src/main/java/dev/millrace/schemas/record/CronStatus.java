package dev.millrace.schemas.record;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link StatusRecord} says of a CronWorkflow beside its conditions.
 *
 * @param active its workflows that have not ended
 * @param succeeded how many of its workflows Succeeded so far
 * @param failed how many ended as Failed or Error
 * @param phase {@code Active} or, once its stop strategy said so, {@code Stopped}
 * @param schedules the schedules in use, with their time zone
 */
public record CronStatus(
        List<WorkflowRef> active,
        @Nullable Instant lastScheduledTime,
        long succeeded,
        long failed,
        String phase,
        List<String> schedules) {

    public CronStatus {
        active = active == null ? List.of() : active;
        schedules = schedules == null ? List.of() : schedules;
    }
}
