package dev.millrace.schemas.workflow;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The spec of a CronWorkflow. */
public record CronWorkflowSpec(
        List<String> schedules,
        @Nullable String timezone,
        @Nullable Boolean suspend,
        @Nullable String concurrencyPolicy,
        @Nullable Long startingDeadlineSeconds,
        @Nullable Integer successfulJobsHistoryLimit,
        @Nullable Integer failedJobsHistoryLimit,
        @Nullable JsonNode stopStrategy,
        @Nullable String when,
        @Nullable Metadata workflowMetadata,
        WorkflowSpec workflowSpec) {

    public CronWorkflowSpec {
        schedules = schedules == null ? List.of() : schedules;
    }
}
