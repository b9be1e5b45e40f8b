package dev.millrace.schemas.record;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A record of {@code cron-inputs}: what a CronWorkflow has to know. Keyed by {@code namespace/name}
 * of the CronWorkflow.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = CronInput.Defined.class, name = "Defined"),
    @JsonSubTypes.Type(value = CronInput.Removed.class, name = "Removed"),
    @JsonSubTypes.Type(value = CronInput.WorkflowSubmitted.class, name = "WorkflowSubmitted"),
    @JsonSubTypes.Type(value = CronInput.WorkflowFinished.class, name = "WorkflowFinished"),
    @JsonSubTypes.Type(value = CronInput.WorkflowDeleted.class, name = "WorkflowDeleted"),
    @JsonSubTypes.Type(value = CronInput.SubmissionEnded.class, name = "SubmissionEnded")
})
public sealed interface CronInput {

    /** The manifest is new or changed. */
    record Defined(JsonNode manifest, long version) implements CronInput {}

    /** The manifest is gone; the version is that of the deletion. */
    record Removed(long version) implements CronInput {}

    /**
     * A workflow with the label of the CronWorkflow was accepted.
     *
     * @param owned whether the CronWorkflow is its owner, so that it goes with it
     */
    record WorkflowSubmitted(String workflow, String uid, boolean owned) implements CronInput {}

    /** Such a workflow came to its end. */
    record WorkflowFinished(String workflow, String uid, WorkflowPhase phase, Instant at)
            implements CronInput {}

    /** Such a workflow is gone. */
    record WorkflowDeleted(String workflow, String uid) implements CronInput {}

    /**
     * A workflow that was to start did not: it was refused, or it is there already.
     *
     * @param refusal why, null if a workflow of this name is there already
     */
    record SubmissionEnded(Instant scheduledTime, @Nullable String refusal) implements CronInput {}
}
