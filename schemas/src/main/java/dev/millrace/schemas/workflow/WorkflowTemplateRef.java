package dev.millrace.schemas.workflow;

import org.jspecify.annotations.Nullable;

/** A reference to a whole stored spec. */
public record WorkflowTemplateRef(@Nullable String name, @Nullable Boolean clusterScope) {}
