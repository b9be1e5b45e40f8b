package dev.millrace.schemas.workflow;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A template: exactly one of the template types is set. */
public record Template(
        @Nullable String name,
        @Nullable Scalar activeDeadlineSeconds,
        @Nullable JsonNode affinity,
        Map<String, String> annotations,
        @Nullable JsonNode archiveLocation,
        @Nullable Boolean automountServiceAccountToken,
        @Nullable Container container,
        @Nullable ContainerSet containerSet,
        @Nullable Boolean daemon,
        @Nullable DagTemplate dag,
        @Nullable DataTemplate data,
        @Nullable JsonNode executor,
        @Nullable Boolean failFast,
        @Nullable JsonNode hostAliases,
        @Nullable HttpTemplate http,
        List<UserContainer> initContainers,
        @Nullable Inputs inputs,
        @Nullable Memoize memoize,
        @Nullable Metadata metadata,
        @Nullable JsonNode metrics,
        Map<String, String> nodeSelector,
        @Nullable Outputs outputs,
        @Nullable Long parallelism,
        @Nullable String pendingTimeout,
        @Nullable JsonNode plugin,
        @Nullable JsonNode podResources,
        @Nullable String podSpecPatch,
        @Nullable String priorityClassName,
        @Nullable JsonNode resource,
        @Nullable JsonNode resourceClaims,
        @Nullable RetryStrategy retryStrategy,
        @Nullable String schedulerName,
        @Nullable Script script,
        @Nullable JsonNode securityContext,
        @Nullable String serviceAccountName,
        List<UserContainer> sidecars,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<List<WorkflowStep>> steps,
        @Nullable SuspendTemplate suspend,
        @Nullable Synchronization synchronization,
        @Nullable String timeout,
        @Nullable JsonNode tolerations,
        @Nullable JsonNode volumes) {

    public Template {
        annotations = annotations == null ? Map.of() : annotations;
        initContainers = initContainers == null ? List.of() : initContainers;
        nodeSelector = nodeSelector == null ? Map.of() : nodeSelector;
        sidecars = sidecars == null ? List.of() : sidecars;
    }
}
