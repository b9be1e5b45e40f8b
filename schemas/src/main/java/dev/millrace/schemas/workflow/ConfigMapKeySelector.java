package dev.millrace.schemas.workflow;

import org.jspecify.annotations.Nullable;

/** A key of a ConfigMap. */
public record ConfigMapKeySelector(@Nullable String name, String key, @Nullable Boolean optional) {}
