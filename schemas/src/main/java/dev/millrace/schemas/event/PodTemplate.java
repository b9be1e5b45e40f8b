package dev.millrace.schemas.event;

import dev.millrace.schemas.workflow.Container;
import dev.millrace.schemas.workflow.Metadata;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The pod that would run the object on Kubernetes. */
public record PodTemplate(
        @Nullable Metadata metadata,
        @Nullable String serviceAccountName,
        @Nullable Container container,
        @Nullable JsonNode volumes,
        @Nullable JsonNode securityContext,
        Map<String, String> nodeSelector,
        @Nullable JsonNode tolerations,
        @Nullable JsonNode imagePullSecrets,
        @Nullable String priorityClassName,
        @Nullable Integer priority,
        @Nullable JsonNode affinity) {
    public PodTemplate {
        nodeSelector = nodeSelector == null ? Map.of() : nodeSelector;
    }
}
