package dev.millrace.server.command;

import dev.millrace.log.ManifestKey;
import dev.millrace.log.plain.ManifestLog;
import dev.millrace.schemas.manifest.Kind;
import dev.millrace.workflowengine.submission.TemplateLookup;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Templates from the manifests. */
public final class StoredTemplates implements TemplateLookup {

    private final ManifestLog manifests;

    public StoredTemplates(ManifestLog manifests) {
        this.manifests = manifests;
    }

    @Override
    public @Nullable JsonNode workflowTemplate(String namespace, String name) {
        return find(Kind.WORKFLOW_TEMPLATE, namespace, name);
    }

    @Override
    public @Nullable JsonNode clusterWorkflowTemplate(String name) {
        return find(Kind.CLUSTER_WORKFLOW_TEMPLATE, "", name);
    }

    private @Nullable JsonNode find(Kind kind, String namespace, String name) {
        return manifests
                .find(new ManifestKey(kind.yamlName(), namespace, name))
                .map(ManifestLog.Stored::manifest)
                .orElse(null);
    }
}
