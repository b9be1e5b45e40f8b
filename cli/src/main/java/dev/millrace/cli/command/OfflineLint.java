package dev.millrace.cli.command;

import dev.millrace.eventsources.EventSourceCheck;
import dev.millrace.schemas.manifest.Kind;
import dev.millrace.schemas.manifest.Manifest;
import dev.millrace.schemas.manifest.ManifestDocument;
import dev.millrace.schemas.manifest.Problem;
import dev.millrace.sensors.definition.SensorDefinition;
import dev.millrace.workflowengine.submission.TemplateLookup;
import dev.millrace.workflowengine.validation.Support;
import dev.millrace.workflowengine.validation.WorkflowValidator;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The checks of the server without a server; templates that are referred to are looked up in the
 * files given.
 */
final class OfflineLint implements TemplateLookup {

    private final List<Manifest> known;
    private final String namespace;

    /**
     * @param files all that are checked together
     * @param namespace of manifests that name none
     */
    OfflineLint(List<ManifestFile> files, String namespace) {
        this.known = files.stream().flatMap(file -> file.content().manifests().stream()).toList();
        this.namespace = namespace;
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
        return switch (document.manifest().kind()) {
            case WORKFLOW, WORKFLOW_TEMPLATE, CLUSTER_WORKFLOW_TEMPLATE, CRON_WORKFLOW -> {
                JsonNode tree = Manifests.placed(document.manifest(), namespace);
                List<Problem> problems =
                        new ArrayList<>(
                                WorkflowValidator.validate(tree, this, true, document.places()));
                problems.addAll(Support.check(tree, this, document.places()));
                yield problems;
            }
            case SENSOR -> SensorDefinition.check(document);
            case EVENT_SOURCE -> EventSourceCheck.check(document, Instant.now());
            case EVENT_BUS, SECRET, CONFIG_MAP -> List.of();
        };
    }

    private @Nullable JsonNode find(Kind kind, String inNamespace, String name) {
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
