package dev.millrace.workflowengine.validation;

import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * A template and where it stands.
 *
 * @param scope object that holds it, in which the names inside it are looked up; empty for the
 *     manifest itself
 * @param inline whether it stands in the call itself and has no name
 * @param body the template with the defaults of the workflow under it
 * @param label what messages call it, such as {@code templates.main}
 */
record PlacedTemplate(
        String scope, String name, boolean inline, JsonNode body, Where where, String label) {

    private static final Set<String> LOCATIONS =
            Set.of(
                    "s3",
                    "gcs",
                    "azure",
                    "oss",
                    "hdfs",
                    "artifactory",
                    "http",
                    "git",
                    "raw",
                    "local",
                    "plugin",
                    "from",
                    "fromExpression");

    List<TemplateType> types() {
        return TemplateType.of(body);
    }

    boolean isDaemon() {
        return body.path("daemon").asBoolean(false);
    }

    JsonNode inputs(String kind) {
        return body.path("inputs").path(kind);
    }

    JsonNode outputs(String kind) {
        return body.path("outputs").path(kind);
    }

    boolean hasOutput(String kind, String name) {
        return contains(outputs(kind), name);
    }

    /** Whether a list holds an element of this name. */
    static boolean contains(JsonNode list, String name) {
        for (JsonNode element : list) {
            if (element.path("name").asString("").equals(name)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a caller has to give this input parameter. */
    static boolean isRequiredParameter(JsonNode input) {
        return !input.hasNonNull("value")
                && !input.hasNonNull("default")
                && !input.hasNonNull("valueFrom");
    }

    /** Whether a caller has to give this input artifact. */
    static boolean isRequiredArtifact(JsonNode input) {
        return !input.path("optional").asBoolean(false) && !hasLocation(input);
    }

    static boolean hasLocation(JsonNode artifact) {
        return LOCATIONS.stream().anyMatch(artifact::hasNonNull);
    }
}
