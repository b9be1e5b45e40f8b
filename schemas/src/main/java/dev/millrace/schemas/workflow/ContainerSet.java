package dev.millrace.schemas.workflow;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Several containers in one pod. */
public record ContainerSet(
        List<ContainerNode> containers,
        @Nullable JsonNode volumeMounts,
        @Nullable JsonNode retryStrategy) {

    public ContainerSet {
        containers = containers == null ? List.of() : containers;
    }
}
