package dev.millrace.schemas.workflow;

import org.jspecify.annotations.Nullable;

/** A key of a Secret. */
public record SecretKeySelector(@Nullable String name, String key, @Nullable Boolean optional) {}
