package dev.millrace.testkit.cluster;

import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.api.model.PodIP;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Phase and conditions of one pod, from what its containers are at. */
final class PodPhases {
    private final Pod pod;
    private final Instant started;
    private final Collection<ContainerRun> inits;
    private final Collection<ContainerRun> mains;
    private volatile boolean pastDeadline;
    private volatile boolean initFailed;
    private volatile boolean deleted;

    PodPhases(
            Pod pod,
            Instant started,
            Collection<ContainerRun> inits,
            Collection<ContainerRun> mains) {
        this.pod = pod;
        this.started = started;
        this.inits = inits;
        this.mains = mains;
    }

    static boolean isSidecar(ContainerRun init) {
        return "Always".equals(init.container().getRestartPolicy());
    }

    void passedDeadline() {
        pastDeadline = true;
    }

    void initFailed() {
        initFailed = true;
    }

    void markDeleted() {
        deleted = true;
    }

    boolean deleted() {
        return deleted;
    }

    /**
     * @param over whether nothing of the pod runs any more, nor will
     */
    PodStatus status(boolean over) {
        boolean initialized =
                inits.stream()
                        .allMatch(i -> isSidecar(i) ? i.ready() : i.exitCode().orElse(1) == 0);
        boolean ready = !over && mains.stream().allMatch(ContainerRun::ready);
        List<PodCondition> conditions = new ArrayList<>();
        conditions.add(condition("PodScheduled", true));
        conditions.add(condition("Initialized", initialized || over && !initFailed));
        conditions.add(condition("ContainersReady", ready));
        conditions.add(condition("Ready", ready));
        return new PodStatusBuilder()
                .withPhase(phase(over))
                .withReason(pastDeadline && over ? "DeadlineExceeded" : null)
                .withMessage(
                        pastDeadline && over
                                ? "Pod was active on the node longer than the specified deadline"
                                : null)
                .withStartTime(started.toString())
                .withHostIP("127.0.0.1")
                .withPodIP("127.0.0.1")
                .withPodIPs(new PodIP("127.0.0.1"))
                .withConditions(conditions)
                .withInitContainerStatuses(inits.stream().map(PodPhases::initStatus).toList())
                .withContainerStatuses(mains.stream().map(ContainerRun::status).toList())
                .build();
    }

    private String phase(boolean over) {
        if (over) {
            boolean good =
                    !pastDeadline
                            && !initFailed
                            && mains.stream().allMatch(c -> c.exitCode().orElse(1) == 0);
            return good ? "Succeeded" : "Failed";
        }
        boolean begun = mains.stream().anyMatch(c -> c.state().getWaiting() == null);
        boolean restarting = mains.stream().anyMatch(c -> c.status().getRestartCount() > 0);
        return begun || restarting ? "Running" : "Pending";
    }

    private static ContainerStatus initStatus(ContainerRun init) {
        ContainerStatus status = init.status();
        ContainerStateTerminated end = status.getState().getTerminated();
        boolean done = end != null && end.getExitCode() == 0;
        return done ? new ContainerStatusBuilder(status).withReady(true).build() : status;
    }

    static PodCondition condition(String type, boolean holds) {
        return new PodConditionBuilder()
                .withType(type)
                .withStatus(holds ? "True" : "False")
                .build();
    }
}
