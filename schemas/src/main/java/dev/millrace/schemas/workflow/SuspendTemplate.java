package dev.millrace.schemas.workflow;

import org.jspecify.annotations.Nullable;

/** A pause, until resumed or for a duration (plain number: seconds). */
public record SuspendTemplate(@Nullable Scalar duration) {}
