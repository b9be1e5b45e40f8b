package dev.millrace.schemas.event;

import dev.millrace.schemas.workflow.Scalar;
import org.jspecify.annotations.Nullable;

/**
 * Pauses between attempts. Texts as written; numbers may be quoted.
 *
 * @param duration whole nanoseconds or a Go duration such as {@code 3s}; absent means 1s
 * @param factor by which the pause grows with each attempt; absent means 1
 * @param jitter share of the pause that is added at random; absent means 1
 * @param steps attempts, not repetitions; absent or below 1 means 5
 */
public record Backoff(
        @Nullable Scalar duration,
        @Nullable Scalar factor,
        @Nullable Scalar jitter,
        @Nullable Integer steps) {}
