package dev.millrace.workflowengine.state;

import dev.millrace.schemas.record.Backlog;
import dev.millrace.schemas.record.CommandAnswer;
import dev.millrace.schemas.record.LockClaim;
import dev.millrace.schemas.record.ShutdownStrategy;
import dev.millrace.schemas.record.Work;
import dev.millrace.schemas.record.WorkflowHead;
import dev.millrace.schemas.record.WorkflowPhase;
import dev.millrace.schemas.record.WorkflowStage;
import dev.millrace.schemas.workflow.Artifact;
import dev.millrace.schemas.workflow.Parameter;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A copy of a head with some members changed. */
final class HeadEdit {
    private final WorkflowHead from;
    private WorkflowStage stage;
    private @Nullable WorkflowPhase status;
    private @Nullable WorkflowPhase phase;
    private @Nullable String message;
    private @Nullable Instant startedAt;
    private @Nullable Instant finishedAt;
    private @Nullable ShutdownStrategy shutdown;
    private boolean suspended;
    private int run;
    private int activeSteps;
    private Map<String, String> labels;
    private Map<String, String> annotations;
    private List<Parameter> outputs;
    private List<Work> work;
    private List<Work> blocked;
    private List<CommandAnswer> answers;
    private List<Artifact> artifacts;
    private @Nullable String artifactGcError;
    private @Nullable LockClaim lock;
    private @Nullable String metricsError;
    private @Nullable Backlog backlog;

    HeadEdit(WorkflowHead head) {
        from = head;
        stage = head.stage();
        status = head.status();
        phase = head.phase();
        message = head.message();
        startedAt = head.startedAt();
        finishedAt = head.finishedAt();
        shutdown = head.shutdown();
        suspended = head.suspended();
        run = head.run();
        activeSteps = head.activeSteps();
        labels = head.labels();
        annotations = head.annotations();
        outputs = head.outputs();
        work = head.work();
        blocked = head.blocked();
        answers = head.answers();
        artifacts = head.artifacts();
        artifactGcError = head.artifactGcError();
        lock = head.lock();
        metricsError = head.metricsError();
        backlog = head.backlog();
    }

    HeadEdit stage(WorkflowStage v) {
        stage = v;
        return this;
    }

    HeadEdit status(@Nullable WorkflowPhase v) {
        status = v;
        return this;
    }

    HeadEdit phase(@Nullable WorkflowPhase v) {
        phase = v;
        return this;
    }

    HeadEdit message(@Nullable String v) {
        message = v;
        return this;
    }

    HeadEdit startedAt(@Nullable Instant v) {
        startedAt = v;
        return this;
    }

    HeadEdit finishedAt(@Nullable Instant v) {
        finishedAt = v;
        return this;
    }

    HeadEdit shutdown(@Nullable ShutdownStrategy v) {
        shutdown = v;
        return this;
    }

    HeadEdit suspended(boolean v) {
        suspended = v;
        return this;
    }

    HeadEdit run(int v) {
        run = v;
        return this;
    }

    HeadEdit activeSteps(int v) {
        activeSteps = v;
        return this;
    }

    HeadEdit labels(Map<String, String> v) {
        labels = v;
        return this;
    }

    HeadEdit annotations(Map<String, String> v) {
        annotations = v;
        return this;
    }

    HeadEdit outputs(List<Parameter> v) {
        outputs = List.copyOf(v);
        return this;
    }

    HeadEdit work(List<Work> v) {
        work = v;
        return this;
    }

    HeadEdit blocked(List<Work> v, @Nullable Backlog more) {
        blocked = List.copyOf(v);
        backlog = more;
        return this;
    }

    HeadEdit answers(List<CommandAnswer> v) {
        answers = List.copyOf(v);
        return this;
    }

    HeadEdit artifacts(List<Artifact> v) {
        artifacts = List.copyOf(v);
        return this;
    }

    HeadEdit artifactGcError(@Nullable String v) {
        artifactGcError = v;
        return this;
    }

    HeadEdit lock(@Nullable LockClaim v) {
        lock = v;
        return this;
    }

    HeadEdit metricsError(@Nullable String v) {
        metricsError = v;
        return this;
    }

    WorkflowHead build() {
        return new WorkflowHead(
                from.namespace(),
                from.name(),
                from.uid(),
                from.createdAt(),
                stage,
                status,
                phase,
                message,
                startedAt,
                finishedAt,
                shutdown,
                suspended,
                from.fromTemplate(),
                run,
                activeSteps,
                labels,
                annotations,
                outputs,
                work,
                blocked,
                answers,
                from.origin(),
                artifacts,
                artifactGcError,
                lock,
                metricsError,
                backlog);
    }
}
