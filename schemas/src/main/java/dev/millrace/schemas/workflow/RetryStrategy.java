package dev.millrace.schemas.workflow;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** When and how often a failed node is tried again. */
public record RetryStrategy(
        @Nullable Scalar limit,
        @Nullable String retryPolicy,
        @Nullable Backoff backoff,
        @Nullable JsonNode affinity,
        @Nullable String expression) {}
