package dev.millrace.schemas.workflow;

import org.jspecify.annotations.Nullable;

/** A loop over numbers: {@code count} or {@code end}. */
public record Sequence(
        @Nullable Scalar count,
        @Nullable Scalar start,
        @Nullable Scalar end,
        @Nullable String format) {}
