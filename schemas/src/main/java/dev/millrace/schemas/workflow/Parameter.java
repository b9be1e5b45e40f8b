package dev.millrace.schemas.workflow;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A parameter: a declaration, an argument, or a value. */
public record Parameter(
        String name,
        @Nullable Scalar value,
        @Nullable @JsonProperty("default") Scalar defaultValue,
        @JsonProperty("enum") @Nullable List<Scalar> enumValues,
        @Nullable String description,
        @Nullable String globalName,
        @Nullable ValueFrom valueFrom) {}
