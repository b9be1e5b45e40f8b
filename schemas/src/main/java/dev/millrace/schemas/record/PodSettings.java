package dev.millrace.schemas.record;

import dev.millrace.schemas.workflow.Metadata;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What a workflow says about the pods of all its steps; a template's own word comes first. Members
 * have the names and shapes of the workflow's spec, with tags replaced.
 *
 * @param podMetadata labels and annotations of the pods
 * @param podSpecPatch a strategic merge patch in JSON or YAML, to be laid on before the template's
 */
public record PodSettings(
        @Nullable JsonNode affinity,
        @Nullable Boolean automountServiceAccountToken,
        @Nullable JsonNode dnsConfig,
        @Nullable String dnsPolicy,
        @Nullable JsonNode hostAliases,
        @Nullable Boolean hostNetwork,
        @Nullable JsonNode imagePullSecrets,
        Map<String, String> nodeSelector,
        @Nullable Metadata podMetadata,
        @Nullable String podPriorityClassName,
        @Nullable JsonNode podResources,
        @Nullable String podSpecPatch,
        @Nullable JsonNode resourceClaims,
        @Nullable String schedulerName,
        @Nullable JsonNode securityContext,
        @Nullable String serviceAccountName,
        @Nullable JsonNode tolerations) {

    public PodSettings {
        nodeSelector = nodeSelector == null ? Map.of() : nodeSelector;
    }
}
