package dev.millrace.workflowengine.submission;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Finds stored templates. */
public interface TemplateLookup {

    /** The {@code WorkflowTemplate} of this namespace, or null. */
    @Nullable JsonNode workflowTemplate(String namespace, String name);

    /** The {@code ClusterWorkflowTemplate}, or null. */
    @Nullable JsonNode clusterWorkflowTemplate(String name);

    /** Knows none. */
    static TemplateLookup none() {
        return new TemplateLookup() {
            @Override
            public @Nullable JsonNode workflowTemplate(String namespace, String name) {
                return null;
            }

            @Override
            public @Nullable JsonNode clusterWorkflowTemplate(String name) {
                return null;
            }
        };
    }
}
