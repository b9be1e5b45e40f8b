package dev.millrace.schemas.workflow;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The spec of a Workflow, also of a WorkflowTemplate and of the {@code workflowSpec} of a
 * CronWorkflow.
 */
public record WorkflowSpec(
        @Nullable Long activeDeadlineSeconds,
        @Nullable JsonNode affinity,
        @Nullable Boolean archiveLogs,
        @Nullable Arguments arguments,
        @Nullable JsonNode artifactGC,
        @Nullable JsonNode artifactRepositoryRef,
        @Nullable Boolean automountServiceAccountToken,
        @Nullable JsonNode dnsConfig,
        @Nullable String dnsPolicy,
        @Nullable String entrypoint,
        @Nullable JsonNode executor,
        @Nullable JsonNode executorPlugins,
        Map<String, LifecycleHook> hooks,
        @Nullable JsonNode hostAliases,
        @Nullable Boolean hostNetwork,
        @Nullable JsonNode imagePullSecrets,
        @Nullable JsonNode metrics,
        Map<String, String> nodeSelector,
        @Nullable String onExit,
        @Nullable Long parallelism,
        @Nullable JsonNode podDisruptionBudget,
        @Nullable JsonNode podGC,
        @Nullable JsonNode podMetadata,
        @Nullable String podPriorityClassName,
        @Nullable JsonNode podResources,
        @Nullable String podSpecPatch,
        @Nullable Integer priority,
        @Nullable JsonNode resourceClaims,
        @Nullable RetryStrategy retryStrategy,
        @Nullable String schedulerName,
        @Nullable JsonNode securityContext,
        @Nullable String serviceAccountName,
        @Nullable String shutdown,
        @Nullable Boolean suspend,
        @Nullable Synchronization synchronization,
        @Nullable Template templateDefaults,
        List<Template> templates,
        @Nullable JsonNode tolerations,
        @Nullable JsonNode ttlStrategy,
        @Nullable JsonNode volumeClaimGC,
        @Nullable JsonNode volumeClaimTemplates,
        @Nullable JsonNode volumes,
        @Nullable WorkflowMetadata workflowMetadata,
        @Nullable WorkflowTemplateRef workflowTemplateRef) {

    public WorkflowSpec {
        hooks = hooks == null ? Map.of() : hooks;
        nodeSelector = nodeSelector == null ? Map.of() : nodeSelector;
        templates = templates == null ? List.of() : templates;
    }
}
