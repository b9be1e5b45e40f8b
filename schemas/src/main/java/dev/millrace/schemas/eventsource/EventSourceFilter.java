package dev.millrace.schemas.eventsource;

import org.jspecify.annotations.Nullable;

/** Lets only those events pass for which an expression is true. */
public record EventSourceFilter(@Nullable String expression) {}
