package dev.millrace.schemas.workflow;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Where results are kept. */
public record Memoize(@Nullable String key, @Nullable JsonNode cache, @Nullable String maxAge) {}
