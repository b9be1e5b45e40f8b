package dev.millrace.schemas.workflow;

import org.jspecify.annotations.Nullable;

/** A reference to a template of another stored object. */
public record TemplateRef(
        @Nullable String name, @Nullable String template, @Nullable Boolean clusterScope) {}
