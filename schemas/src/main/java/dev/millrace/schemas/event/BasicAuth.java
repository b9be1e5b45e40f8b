package dev.millrace.schemas.event;

import dev.millrace.schemas.workflow.SecretKeySelector;
import org.jspecify.annotations.Nullable;

/** User and password, both from secrets. */
public record BasicAuth(
        @Nullable SecretKeySelector username, @Nullable SecretKeySelector password) {}
