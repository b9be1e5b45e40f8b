package dev.millrace.schemas.workflow;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A parameter: a declaration, an argument, or a value. */
public record Parameter(
        String name,
        @Nullable Scalar value,
        @Nullable @JsonProperty("default") Scalar defaultValue,
        @JsonInclude(JsonInclude.Include.NON_NULL) @JsonProperty("enum")
                @Nullable List<Scalar> enumValues,
        @Nullable String description,
        @Nullable String globalName,
        @Nullable ValueFrom valueFrom) {}
