package dev.millrace.cli.command;

import dev.millrace.cli.client.Templates;
import dev.millrace.schemas.manifest.Kind;
import dev.millrace.schemas.manifest.Manifest;
import dev.millrace.schemas.manifest.ManifestDocument;
import dev.millrace.schemas.manifest.Problem;
import dev.millrace.server.manifests.Meaning;
import dev.millrace.workflowengine.submission.TemplateLookup;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The checks that a server makes; templates that are referred to are looked up in the files given,
 * then at a server if there is one.
 */
final class LintedFiles implements TemplateLookup {

    private final List<Manifest> known;
    private final String namespace;
    private final @Nullable Templates stored;
    private @Nullable Set<String> plugins;
    private boolean pluginsAsked;
    private final Map<String, Optional<JsonNode>> asked = new HashMap<>();

    /**
     * @param files all that are checked together
     * @param namespace of manifests that name none
     * @param stored those of a server, null if there is none
     */
    LintedFiles(List<ManifestFile> files, String namespace, @Nullable Templates stored) {
        // One with faults is there all the same: who refers to it is not to blame.
        this.known =
                files.stream()
                        .flatMap(file -> file.content().documents().stream())
                        .map(ManifestDocument::manifest)
                        .toList();
        this.namespace = namespace;
        this.stored = stored;
    }

    @Override
    public @Nullable JsonNode workflowTemplate(String inNamespace, String name) {
        return find(Kind.WORKFLOW_TEMPLATE, inNamespace, name);
    }

    @Override
    public @Nullable JsonNode clusterWorkflowTemplate(String name) {
        return find(Kind.CLUSTER_WORKFLOW_TEMPLATE, "", name);
    }

    /** What the structure does not show. */
    List<Problem> meaning(ManifestDocument document) {
        return Meaning.lint(document.in(namespace), this, this::plugins, Instant.now());
    }

    private @Nullable Set<String> plugins() {
        if (stored != null && !pluginsAsked) {
            pluginsAsked = true;
            plugins = stored.plugins();
        }
        return plugins;
    }

    private @Nullable JsonNode find(Kind kind, String inNamespace, String name) {
        JsonNode own = among(kind, inNamespace, name);
        return own != null || stored == null
                ? own
                : asked.computeIfAbsent(
                                kind + "/" + inNamespace + "/" + name,
                                _ -> stored.find(kind, inNamespace, name))
                        .orElse(null);
    }

    private @Nullable JsonNode among(Kind kind, String inNamespace, String name) {
        return known.stream()
                .filter(manifest -> manifest.kind() == kind && name.equals(manifest.name()))
                .map(manifest -> Manifests.placed(manifest, namespace))
                .filter(
                        tree ->
                                !kind.isNamespaced()
                                        || inNamespace.isEmpty()
                                        || tree.path("metadata")
                                                .path("namespace")
                                                .asString("")
                                                .equals(inNamespace))
                .findFirst()
                .orElse(null);
    }
}
