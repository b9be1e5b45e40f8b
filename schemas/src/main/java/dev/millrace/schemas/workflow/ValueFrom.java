package dev.millrace.schemas.workflow;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Where a parameter value comes from. */
public record ValueFrom(
        @Nullable String path,
        @Nullable String jsonPath,
        @Nullable String jqFilter,
        @Nullable String parameter,
        @Nullable String expression,
        @Nullable String event,
        @Nullable JsonNode supplied,
        @Nullable ConfigMapKeySelector configMapKeyRef,
        @Nullable @JsonProperty("default") Scalar defaultValue) {}
