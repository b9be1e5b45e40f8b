package dev.millrace.schemas.workflow;

import org.jspecify.annotations.Nullable;

/** An environment variable. */
public record EnvVar(String name, @Nullable Scalar value, @Nullable EnvVarSource valueFrom) {}
