package dev.millrace.schemas.workflow;

import org.jspecify.annotations.Nullable;

/** Pauses between attempts. */
public record Backoff(
        @Nullable Scalar duration,
        @Nullable Scalar factor,
        @Nullable Scalar maxDuration,
        @Nullable Scalar cap) {}
