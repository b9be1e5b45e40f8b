package dev.millrace.schemas.record;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.millrace.schemas.workflow.Artifact;
import java.util.List;

/** A record of {@code steps}: what executors are to do. Keyed by step id. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = StepCommand.Start.class, name = "Start"),
    @JsonSubTypes.Type(value = StepCommand.Stop.class, name = "Stop"),
    @JsonSubTypes.Type(value = StepCommand.Forget.class, name = "Forget"),
    @JsonSubTypes.Type(value = StepCommand.ReleaseClaims.class, name = "ReleaseClaims"),
    @JsonSubTypes.Type(value = StepCommand.DiscardArtifacts.class, name = "DiscardArtifacts")
})
public sealed interface StepCommand {
    String stepId();

    WorkflowRef workflow();

    /** Run this step, unless a step of this id was started already. */
    record Start(StepSpec spec) implements StepCommand {
        @Override
        public String stepId() {
            return spec.stepId();
        }

        @Override
        public WorkflowRef workflow() {
            return spec.workflow();
        }
    }

    /** End this step: gently, and after the grace period (seconds) by force. */
    record Stop(
            String stepId, WorkflowRef workflow, String nodeId, String reason, long graceSeconds)
            implements StepCommand {}

    /** The workflow was deleted: remove what is kept of this step, its log too. */
    record Forget(String stepId, WorkflowRef workflow) implements StepCommand {}

    /**
     * Remove what was kept under the claims of a workflow; none of its steps uses them any more.
     *
     * @param claims names of claims in the namespace of the workflow
     */
    record ReleaseClaims(WorkflowRef workflow, List<String> claims) implements StepCommand {
        /** Of no step; the key of the record. */
        @Override
        public String stepId() {
            return workflow.uid() + "/claims";
        }
    }

    /**
     * Delete what this step stored: each artifact at its place, which is complete. One that is gone
     * already counts as deleted. The answer is {@link StepReport.Discarded}.
     */
    record DiscardArtifacts(
            String stepId, WorkflowRef workflow, String nodeId, List<Artifact> artifacts)
            implements StepCommand {
        public DiscardArtifacts {
            artifacts = artifacts == null ? List.of() : artifacts;
        }
    }
}
