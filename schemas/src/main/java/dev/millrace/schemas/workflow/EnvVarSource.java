package dev.millrace.schemas.workflow;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Where the value of an environment variable comes from. */
public record EnvVarSource(
        @Nullable SecretKeySelector secretKeyRef,
        @Nullable ConfigMapKeySelector configMapKeyRef,
        @Nullable JsonNode fieldRef,
        @Nullable JsonNode resourceFieldRef,
        @Nullable JsonNode fileKeyRef) {}
