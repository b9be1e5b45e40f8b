package dev.millrace.schemas.record;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A record of {@code step-results}: what became of a step. Keyed by {@code namespace/name} of the
 * workflow.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = StepReport.Started.class, name = "Started"),
    @JsonSubTypes.Type(value = StepReport.Ready.class, name = "Ready"),
    @JsonSubTypes.Type(value = StepReport.Progress.class, name = "Progress"),
    @JsonSubTypes.Type(value = StepReport.Finished.class, name = "Finished"),
    @JsonSubTypes.Type(value = StepReport.Discarded.class, name = "Discarded")
})
public sealed interface StepReport {
    String stepId();

    String nodeId();

    WorkflowRef workflow();

    Instant at();

    /** The step runs. */
    record Started(
            String stepId, String nodeId, WorkflowRef workflow, Instant at, @Nullable String host)
            implements StepReport {}

    /**
     * The step is a daemon and ready for use.
     *
     * @param address where other steps reach it: a host name or IP address
     */
    record Ready(String stepId, String nodeId, WorkflowRef workflow, Instant at, String address)
            implements StepReport {}

    /**
     * The step says how far it is.
     *
     * @param progress {@code done/total}, absent if it says nothing about that
     * @param message what it does, absent if it says nothing about that
     */
    record Progress(
            String stepId,
            String nodeId,
            WorkflowRef workflow,
            Instant at,
            @Nullable String progress,
            @Nullable String message)
            implements StepReport {

        /** Without a message. */
        public Progress(
                String stepId,
                String nodeId,
                WorkflowRef workflow,
                Instant at,
                @Nullable String progress) {
            this(stepId, nodeId, workflow, at, progress, null);
        }
    }

    /** The step ended. */
    record Finished(
            String stepId,
            String nodeId,
            WorkflowRef workflow,
            Instant at,
            @Nullable Instant startedAt,
            StepOutcome outcome)
            implements StepReport {}

    /**
     * Artifacts of the step were deleted.
     *
     * @param artifacts names of those that are gone
     * @param error why others are not, absent if all are gone
     */
    record Discarded(
            String stepId,
            String nodeId,
            WorkflowRef workflow,
            Instant at,
            List<String> artifacts,
            @Nullable String error)
            implements StepReport {
        public Discarded {
            artifacts = artifacts == null ? List.of() : artifacts;
        }
    }
}
