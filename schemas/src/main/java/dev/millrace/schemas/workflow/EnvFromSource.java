package dev.millrace.schemas.workflow;

import org.jspecify.annotations.Nullable;

/** All keys of a ConfigMap or Secret as environment variables. */
public record EnvFromSource(
        @Nullable String prefix,
        @Nullable LocalObjectReference configMapRef,
        @Nullable LocalObjectReference secretRef) {}
