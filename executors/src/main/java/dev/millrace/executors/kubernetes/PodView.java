package dev.millrace.executors.kubernetes;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a pod says besides its status.
 *
 * @param state where it stands
 * @param daemon whether its step is to run beside others until it is stopped
 * @param completed whether the end of its step is in the log
 * @param stopped why its step is to end before its time; null if it is not
 * @param goneBy when its containers are to be gone, for a pod that is being deleted; else null
 * @param replaced how many pods of this step the cluster took away before they did anything
 */
record PodView(
        PodState state,
        boolean daemon,
        boolean completed,
        @Nullable String stopped,
        @Nullable Instant goneBy,
        int replaced) {}
