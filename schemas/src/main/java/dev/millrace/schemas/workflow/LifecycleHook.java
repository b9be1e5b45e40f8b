package dev.millrace.schemas.workflow;

import org.jspecify.annotations.Nullable;

/** A template that runs when its expression becomes true, or at the end. */
public record LifecycleHook(
        @Nullable String template,
        @Nullable TemplateRef templateRef,
        @Nullable Arguments arguments,
        @Nullable String expression) {}
