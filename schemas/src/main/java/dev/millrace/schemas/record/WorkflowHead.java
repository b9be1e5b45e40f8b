package dev.millrace.schemas.record;

import dev.millrace.schemas.workflow.Artifact;
import dev.millrace.schemas.workflow.Parameter;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The state of a workflow without its nodes and its spec: small, since every transition writes it.
 *
 * @param status what {@code workflow.status} says
 * @param phase what clients see
 * @param run how often the workflow was retried
 * @param activeSteps steps that were requested and did not report their end
 * @param labels labels of the object, those that the engine adds included
 * @param outputs parameters that nodes exported under a global name
 * @param artifacts artifacts that nodes exported under a global name
 * @param artifactGcError why artifacts could not be deleted, absent if nothing went wrong
 * @param work what the last transition left
 * @param blocked what waits for the parallelism of the workflow
 * @param backlog what waits for it behind {@code blocked}; absent if nothing does
 * @param answers the last answers to commands
 * @param metricsError why metrics of the workflow could not be reported, absent if all could
 * @param lock the locks of the workflow as a whole; absent if it has none
 */
public record WorkflowHead(
        String namespace,
        String name,
        String uid,
        Instant createdAt,
        WorkflowStage stage,
        @Nullable WorkflowPhase status,
        @Nullable WorkflowPhase phase,
        @Nullable String message,
        @Nullable Instant startedAt,
        @Nullable Instant finishedAt,
        @Nullable ShutdownStrategy shutdown,
        boolean suspended,
        boolean fromTemplate,
        int run,
        int activeSteps,
        Map<String, String> labels,
        Map<String, String> annotations,
        List<Parameter> outputs,
        List<Work> work,
        List<Work> blocked,
        List<CommandAnswer> answers,
        @Nullable Origin origin,
        List<Artifact> artifacts,
        @Nullable String artifactGcError,
        @Nullable LockClaim lock,
        @Nullable String metricsError,
        @Nullable Backlog backlog) {

    public WorkflowHead {
        labels = labels == null ? Map.of() : labels;
        annotations = annotations == null ? Map.of() : annotations;
        outputs = outputs == null ? List.of() : outputs;
        artifacts = artifacts == null ? List.of() : artifacts;
        work = work == null ? List.of() : work;
        blocked = blocked == null ? List.of() : blocked;
        answers = answers == null ? List.of() : answers;
    }

    public WorkflowRef ref() {
        return new WorkflowRef(namespace, name, uid);
    }

    /**
     * Whether what is left to do may be done now: a suspended workflow goes on observing, but
     * starts nothing, and neither does one that waits for its own locks.
     */
    public boolean mayWork() {
        boolean waits = suspended || (lock != null && lock.notBegun());
        return !waits || stage == WorkflowStage.COMPLETING || stage == WorkflowStage.DELETING;
    }

    /** The workflow, or a node of it, as a holder of locks. */
    public LockHolder holder(@Nullable String nodeId) {
        return new LockHolder(namespace, name, uid, nodeId, run);
    }
}
