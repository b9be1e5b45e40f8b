package dev.millrace.executors.kubernetes;

import dev.millrace.executors.Executor;
import dev.millrace.executors.ReportSink;
import dev.millrace.executors.StepContainer;
import dev.millrace.executors.StepRefusedException;
import dev.millrace.executors.kubernetes.PodCourse.Act;
import dev.millrace.executors.kubernetes.PodCourse.Told;
import dev.millrace.executors.process.ReportDelivery;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.StepCommand;
import dev.millrace.schemas.record.StepOutcome;
import dev.millrace.schemas.record.StepReport;
import dev.millrace.schemas.record.StepSpec;
import dev.millrace.schemas.record.WorkflowRef;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runs each step as a pod. All that is known of a step stands on its pod, which a finalizer keeps
 * until the end of the step is in the log; so a server that was killed, or another one in its
 * place, goes on from what the cluster says.
 */
final class KubernetesExecutor implements Executor {
    private static final Duration RETRY = Duration.ofMillis(500);
    private static final int LOG_ATTEMPTS = 6;

    private final PodApi pods;
    private final PodSetup setup;
    private final InstantSource clock;
    private final ReportDelivery delivery = new ReportDelivery();
    private final PodChanges changes = new PodChanges(this::look);

    /**
     * Prepares it; nothing is asked of the cluster yet.
     *
     * @param client stays the caller's to close
     */
    KubernetesExecutor(KubernetesClient client, PodSetup setup, InstantSource clock) {
        this.pods = new PodApi(client);
        this.setup = setup;
        this.clock = clock;
    }

    @Override
    public String describe() {
        return "Steps run as pods.";
    }

    @Override
    public void recover(ReportSink sink) {
        delivery.open(sink);
        pods.follow(
                new ResourceEventHandler<>() {
                    @Override
                    public void onAdd(Pod pod) {
                        changes.changed(pod);
                    }

                    @Override
                    public void onUpdate(Pod old, Pod pod) {
                        changes.changed(pod);
                    }

                    @Override
                    public void onDelete(Pod pod, boolean unknown) {
                        changes.gone(pod);
                    }
                });
    }

    private Told look(Pod pod, Told before) throws InterruptedException {
        Optional<StepSpec> step = PodMarks.step(pod);
        Told told = before;
        if (step.isPresent()) {
            PodView view = view(pod, step.get());
            for (Act act : PodCourse.next(view, before, clock.instant())) {
                carryOut(act, pod, step.get());
                told = told.and(act);
            }
        }
        return told;
    }

    private static PodView view(Pod pod, StepSpec step) {
        try {
            return PodMarks.view(pod, step, StepPod.helpers());
        } catch (StepRefusedException e) {
            throw new IllegalStateException("a step that cannot be has a pod", e);
        }
    }

    private void carryOut(Act act, Pod pod, StepSpec step) throws InterruptedException {
        switch (act) {
            case Act.Waits(var reason) ->
                    delivery.deliver(
                            new StepReport.Progress(
                                    step.stepId(),
                                    step.nodeId(),
                                    step.workflow(),
                                    clock.instant(),
                                    null,
                                    reason));
            case Act.Started(var at, var node) ->
                    delivery.deliver(
                            new StepReport.Started(
                                    step.stepId(), step.nodeId(), step.workflow(), at, node));
            case Act.Ready(var address) ->
                    delivery.deliver(
                            new StepReport.Ready(
                                    step.stepId(),
                                    step.nodeId(),
                                    step.workflow(),
                                    clock.instant(),
                                    address));
            case Act.Ends(var end) -> {
                delivery.deliver(finished(pod, step, end));
                pods.strategic(pod, PodMarks.completed());
            }
            case Act.Replace() -> replace(pod, step);
            case Act.Delete() ->
                    pods.delete(
                            pod,
                            PodMarks.stop(pod).map(StepCommand.Stop::graceSeconds).orElse(null));
            case Act.LookAgain(var at) ->
                    changes.againIn(Duration.between(clock.instant(), at), pod);
        }
    }

    private StepReport.Finished finished(Pod pod, StepSpec step, PodState.Ended end) {
        return new StepReport.Finished(
                step.stepId(),
                step.nodeId(),
                step.workflow(),
                clock.instant(),
                end.startedAt(),
                outcome(pod, step, end));
    }

    private StepOutcome outcome(Pod pod, StepSpec step, PodState.Ended end) {
        NodePhase phase = end.phase();
        String message = end.message();
        String result = null;
        if (step.captureResult() && end.exitCode() != null) {
            try {
                result = result(pod);
            } catch (IOException e) {
                if (phase == NodePhase.SUCCEEDED) {
                    phase = NodePhase.ERROR;
                    message = "the result is lost: " + e.getMessage();
                }
            }
        }
        return new StepOutcome(
                phase,
                message,
                end.exitCode(),
                result,
                Map.of(),
                List.of(),
                step.template().containerSet() == null ? List.of() : end.containers());
    }

    /** The node of a pod may be busy, or away for a moment. */
    private String result(Pod pod) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                return LogTail.of(pods.log(pod, StepContainer.MAIN));
            } catch (IOException e) {
                if (attempt == LOG_ATTEMPTS) {
                    throw e;
                }
                pause();
            }
        }
    }

    private static void pause() throws InterruptedIOException {
        try {
            Thread.sleep(RETRY);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while a log was to be read");
        }
    }

    /** The cluster took the pod away before it did anything: another one takes its place. */
    private void replace(Pod pod, StepSpec step) throws InterruptedException {
        switch (pods.create(PodMarks.replacement(pod))) {
            case PodApi.Created.New _ -> {}
            // It was created before a crash.
            case PodApi.Created.Taken(var by) when PodMarks.isOf(by, step.stepId()) -> {}
            case PodApi.Created.Taken(var by) ->
                    throw new KubernetesClientException(
                            "a pod of another step has the name " + by.getMetadata().getName());
            case PodApi.Created.Refused(var why) ->
                    delivery.deliver(error(step.stepId(), step.nodeId(), step.workflow(), why));
        }
        pods.strategic(pod, PodMarks.completed());
        pods.delete(pod, 0L);
    }

    @Override
    public void start(StepSpec step) {
        Pod pod;
        try {
            Long seconds = step.deadlineSeconds();
            Instant deadline = seconds == null ? null : clock.instant().plusSeconds(seconds);
            pod = PodMarks.mark(StepPod.of(step, setup, deadline), step);
        } catch (StepRefusedException e) {
            refuse(step, String.valueOf(e.getMessage()));
            return;
        }
        try {
            create(step, pod);
        } catch (KubernetesClientException e) {
            throw new UncheckedIOException(
                    new IOException(
                            "the pod of step %s cannot be created: %s"
                                    .formatted(step.stepId(), e.getMessage()),
                            e));
        }
    }

    private void create(StepSpec step, Pod pod) {
        switch (pods.create(pod)) {
            case PodApi.Created.New(var created) -> changes.changed(created);
            case PodApi.Created.Taken(var by) when PodMarks.isOf(by, step.stepId()) -> again(by);
            case PodApi.Created.Taken(var by) -> {
                // Another run of the same node, or somebody else's: it is in the way.
                pods.strategic(by, PodMarks.released());
                pods.delete(by, 0L);
                throw new KubernetesClientException(
                        "a pod of another step has the name " + by.getMetadata().getName());
            }
            case PodApi.Created.Refused(var why) -> refuse(step, why);
        }
    }

    /** A step that was accepted before: its end, if it has one, is told again. */
    private void again(Pod pod) {
        StepSpec step = PodMarks.step(pod).orElse(null);
        if (step == null || !view(pod, step).completed()) {
            changes.changed(pod);
            return;
        }
        if (view(pod, step).state() instanceof PodState.Ended end) {
            tell(finished(pod, step, end));
        }
    }

    private void refuse(StepSpec step, String why) {
        tell(error(step.stepId(), step.nodeId(), step.workflow(), why));
    }

    private StepReport.Finished error(
            String stepId, String nodeId, WorkflowRef workflow, String why) {
        return new StepReport.Finished(
                stepId,
                nodeId,
                workflow,
                clock.instant(),
                null,
                new StepOutcome(NodePhase.ERROR, why, null, null, Map.of()));
    }

    /** Returns when the log has it: who gave the order forgets it then. */
    private void tell(StepReport report) {
        try {
            delivery.deliver(report);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UncheckedIOException(
                    new InterruptedIOException(
                            "interrupted before the report of step "
                                    + report.stepId()
                                    + " was in the log"));
        }
    }

    @Override
    public void stop(StepCommand.Stop stop) {
        try {
            Optional<Pod> pod =
                    pods.known(stop.stepId())
                            .or(() -> pods.look(stop.workflow().namespace(), stop.stepId()));
            if (pod.isEmpty()) {
                String why =
                        "there is no pod of the step in namespace %s; it cannot be stopped"
                                .formatted(stop.workflow().namespace());
                tell(error(stop.stepId(), stop.nodeId(), stop.workflow(), why));
                return;
            }
            if ("true".equals(pod.get().getMetadata().getLabels().get(PodMarks.COMPLETED))) {
                again(pod.get());
                return;
            }
            pods.merge(pod.get(), PodMarks.stopped(stop));
            pods.delete(pod.get(), stop.graceSeconds());
        } catch (KubernetesClientException e) {
            throw new UncheckedIOException(
                    new IOException("step " + stop.stepId() + " cannot be stopped", e));
        }
    }

    @Override
    public void forget(String stepId) {
        try {
            pods.known(stepId)
                    .ifPresent(
                            pod -> {
                                pods.strategic(pod, PodMarks.released());
                                pods.delete(pod, 0L);
                            });
        } catch (KubernetesClientException e) {
            throw new UncheckedIOException(
                    new IOException("the pod of step " + stepId + " cannot be removed", e));
        }
    }

    /** Claims are the cluster's. */
    @Override
    public void releaseClaims(WorkflowRef workflow, List<String> claims) {}

    @Override
    public StepReport.Discarded discard(StepCommand.DiscardArtifacts discard) {
        return new StepReport.Discarded(
                discard.stepId(),
                discard.nodeId(),
                discard.workflow(),
                clock.instant(),
                List.of(),
                "pods store no artifacts yet");
    }

    /**
     * Watches no more. Pods go on in either case, for the next executor to adopt; nothing ends them
     * with the server yet.
     */
    @Override
    public void close(boolean keepSteps) {
        delivery.closing();
        pods.close();
        changes.close();
    }
}
