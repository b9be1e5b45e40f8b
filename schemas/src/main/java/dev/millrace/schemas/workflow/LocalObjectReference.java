package dev.millrace.schemas.workflow;

import org.jspecify.annotations.Nullable;

/** The name of an object of the same namespace. */
public record LocalObjectReference(@Nullable String name, @Nullable Boolean optional) {}
