package dev.millrace.schemas.workflow;

import org.jspecify.annotations.Nullable;

/** Which outcomes of a step its group tolerates. */
public record ContinueOn(@Nullable Boolean error, @Nullable Boolean failed) {}
