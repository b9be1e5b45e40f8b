package dev.millrace.executors.kubernetes;

import dev.millrace.schemas.record.NodePhase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides what is to be done about a pod of a step, whenever it has changed. */
final class PodCourse {
    /** What clients of the field look for. */
    static final String DELETED = "pod deleted";

    /** So often another pod is tried in place of one that the cluster took away. */
    static final int MOST_REPLACED = 3;

    /** A node that has not ended a pod so long after its time does not answer. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    private PodCourse() {}

    /**
     * What the log was told of a pod so far.
     *
     * @param pending why it waited when that was told last; null before
     * @param started whether it was told that the step runs
     * @param ready whether it was told where the step can be reached
     */
    record Told(@Nullable String pending, boolean started, boolean ready) {
        static final Told NOTHING = new Told(null, false, false);

        /** With what an act tells. */
        Told and(Act act) {
            return switch (act) {
                case Act.Waits(var reason) -> new Told(reason, started, ready);
                case Act.Started _ -> new Told(pending, true, ready);
                case Act.Ready _ -> new Told(pending, started, true);
                case Act.Ends _, Act.Replace _, Act.Delete _, Act.LookAgain _ -> this;
            };
        }
    }

    /** Something to be done, in the order of a list. */
    sealed interface Act {
        /** Tell why the step does not run yet. */
        record Waits(String reason) implements Act {}

        /** Tell that the step runs. */
        record Started(Instant at, @Nullable String node) implements Act {}

        /** Tell where a daemon is reached. */
        record Ready(String address) implements Act {}

        /** Tell how the step ended, then mark the pod as completed. */
        record Ends(PodState.Ended end) implements Act {}

        /** Delete the pod, and create another one in its place. */
        record Replace() implements Act {}

        /** Delete the pod. */
        record Delete() implements Act {}

        /** Ask again at this time, if nothing has changed by then. */
        record LookAgain(Instant at) implements Act {}
    }

    /**
     * What is to be done.
     *
     * @param told what the log was told of this pod
     * @param now the time
     */
    static List<Act> next(PodView pod, Told told, Instant now) {
        if (pod.completed()) {
            return List.of();
        }
        return switch (pod.state()) {
            case PodState.Ended end -> ended(pod, end);
            case PodState.Pending(var reason) -> pending(pod, reason, told);
            case PodState.Running running -> running(pod, running, told, now);
        };
    }

    private static List<Act> ended(PodView pod, PodState.Ended end) {
        List<Act> acts = new ArrayList<>();
        boolean takenAway = pod.stopped() == null && pod.goneBy() == null;
        if (takenAway && end.replaceable() && pod.replaced() < MOST_REPLACED) {
            return List.of(new Act.Replace());
        }
        acts.add(new Act.Ends(cutOff(pod, end)));
        if (end.leftRunning() && pod.goneBy() == null) {
            acts.add(new Act.Delete());
        }
        return acts;
    }

    /** An end that came about because somebody wanted it is told so. */
    private static PodState.Ended cutOff(PodView pod, PodState.Ended end) {
        if (pod.stopped() != null) {
            return with(end, NodePhase.FAILED, pod.stopped());
        }
        boolean succeeded = end.phase() == NodePhase.SUCCEEDED;
        return pod.goneBy() == null || succeeded ? end : with(end, NodePhase.ERROR, DELETED);
    }

    private static PodState.Ended with(PodState.Ended end, NodePhase phase, String message) {
        return new PodState.Ended(
                end.startedAt(),
                phase,
                message,
                end.exitCode(),
                end.containers(),
                false,
                end.leftRunning());
    }

    private static List<Act> pending(PodView pod, @Nullable String reason, Told told) {
        if (pod.goneBy() != null) {
            // Nothing is started any more in a pod that is being deleted.
            return List.of(new Act.Ends(cutOff(pod, unfinished(null))));
        }
        if (pod.stopped() != null) {
            return List.of(new Act.Delete());
        }
        return reason == null || reason.equals(told.pending())
                ? List.of()
                : List.of(new Act.Waits(reason));
    }

    private static List<Act> running(
            PodView pod, PodState.Running running, Told told, Instant now) {
        List<Act> acts = new ArrayList<>();
        if (!told.started()) {
            acts.add(new Act.Started(running.startedAt(), running.node()));
        }
        Instant goneBy = pod.goneBy();
        if (goneBy != null) {
            Instant patientUntil = goneBy.plus(PATIENCE);
            acts.add(
                    now.isBefore(patientUntil)
                            ? new Act.LookAgain(patientUntil)
                            : new Act.Ends(cutOff(pod, unfinished(running.startedAt()))));
            return acts;
        }
        if (pod.stopped() != null) {
            acts.add(new Act.Delete());
        } else if (pod.daemon() && running.address() != null && !told.ready()) {
            acts.add(new Act.Ready(running.address()));
        }
        return acts;
    }

    private static PodState.Ended unfinished(@Nullable Instant startedAt) {
        return new PodState.Ended(
                startedAt, NodePhase.ERROR, DELETED, null, List.of(), false, false);
    }
}
