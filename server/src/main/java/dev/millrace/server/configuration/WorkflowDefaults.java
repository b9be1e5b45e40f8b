package dev.millrace.server.configuration;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.manifest.Kind;
import dev.millrace.schemas.manifest.ManifestReader;
import dev.millrace.schemas.manifest.Problem;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What every workflow has that does not say otherwise.
 *
 * @param tree labels and annotations under {@code metadata}, and {@code spec}, as it is written
 */
public record WorkflowDefaults(JsonNode tree) {

    /** Workflows are as they are written. */
    public static final WorkflowDefaults NONE = new WorkflowDefaults(Json.object());

    private static final List<String> MEMBERS = List.of("metadata", "spec");
    private static final List<String> METADATA = List.of("labels", "annotations");

    public JsonNode metadata() {
        return tree.path("metadata");
    }

    public JsonNode spec() {
        return tree.path("spec");
    }

    /** What is wrong with it, and what to write instead; empty if nothing is. */
    public Optional<String> problem() {
        if (!tree.isObject()) {
            return Optional.of("a map such as {spec: {ttlStrategy: {…}}} is expected");
        }
        for (String member : tree.propertyNames()) {
            if (!MEMBERS.contains(member)) {
                return Optional.of(
                        "'%s' is not known here; there are metadata and spec".formatted(member));
            }
        }
        for (String member : metadata().propertyNames()) {
            if (!METADATA.contains(member)) {
                return Optional.of(
                        "metadata.%s cannot be a default; labels and annotations can"
                                .formatted(member));
            }
        }
        ObjectNode workflow = Json.object();
        workflow.put("apiVersion", Kind.WORKFLOW.apiVersion());
        workflow.put("kind", Kind.WORKFLOW.yamlName());
        workflow.set("metadata", metadata().isObject() ? metadata().deepCopy() : Json.object());
        workflow.withObject("/metadata").put("generateName", "defaults-");
        workflow.set("spec", spec().isMissingNode() ? Json.object() : spec());
        List<Problem> errors = ManifestReader.check("workflowDefaults", workflow).errors();
        return errors.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        errors.stream()
                                .map(p -> p.path() + ": " + p.message())
                                .collect(Collectors.joining("; ")));
    }
}
