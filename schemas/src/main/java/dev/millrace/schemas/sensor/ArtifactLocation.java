package dev.millrace.schemas.sensor;

import dev.millrace.schemas.workflow.ConfigMapKeySelector;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Where an object comes from: one of these.
 *
 * @param inline the object as YAML or JSON text
 */
public record ArtifactLocation(
        @Nullable JsonNode resource,
        @Nullable String inline,
        @Nullable FileArtifact file,
        @Nullable UrlArtifact url,
        @Nullable ConfigMapKeySelector configmap,
        @Nullable S3Artifact s3,
        @Nullable GitArtifact git) {

    /** A file of the machine that runs the trigger. */
    public record FileArtifact(@Nullable String path) {}

    /** A text fetched by HTTP. */
    public record UrlArtifact(@Nullable String path, @Nullable Boolean verifyCert) {}
}
