package dev.millrace.executors.kubernetes;

import dev.millrace.schemas.record.ContainerEnd;
import dev.millrace.schemas.record.NodePhase;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where a pod stands, as far as its step is concerned. */
sealed interface PodState {

    /**
     * No main container has begun.
     *
     * @param reason why, as clients of the field read it; null if the cluster gives none
     */
    record Pending(@Nullable String reason) implements PodState {}

    /**
     * A main container runs, or helpers are busy with what it left.
     *
     * @param startedAt when the first main container began
     * @param node the name of its node; null if the pod does not say
     * @param address where other pods reach it; null until the pod is ready
     */
    record Running(Instant startedAt, @Nullable String node, @Nullable String address)
            implements PodState {}

    /**
     * It will not change any more, but for what {@code leftRunning} says.
     *
     * @param startedAt when the first main container began; null if none did
     * @param phase {@code SUCCEEDED}, {@code FAILED} or {@code ERROR}
     * @param message why, null on success
     * @param exitCode of the container called main, null if it did not end by itself
     * @param containers how the main containers ended that did, in the order of the template
     * @param replaceable whether the cluster took the pod away before it did anything, so that
     *     another one may run in its place
     * @param leftRunning whether containers run on that nobody ends: sidecars that the template
     *     does not know, as meshes add them
     */
    record Ended(
            @Nullable Instant startedAt,
            NodePhase phase,
            @Nullable String message,
            @Nullable Integer exitCode,
            List<ContainerEnd> containers,
            boolean replaceable,
            boolean leftRunning)
            implements PodState {

        public Ended {
            containers = List.copyOf(containers);
        }
    }
}
