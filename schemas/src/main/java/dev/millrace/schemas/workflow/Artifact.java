package dev.millrace.schemas.workflow;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * An artifact; where it is stored stays a free tree.
 *
 * @param local place in the folder of artifacts that the server keeps: {@code key}
 */
public record Artifact(
        String name,
        @Nullable String path,
        @Nullable String from,
        @Nullable String fromExpression,
        @Nullable String subPath,
        @Nullable String globalName,
        @Nullable JsonNode mode,
        @Nullable Boolean optional,
        @Nullable Boolean recurseMode,
        @Nullable Boolean archiveLogs,
        @Nullable Boolean deleted,
        @Nullable JsonNode archive,
        @Nullable JsonNode artifactGC,
        @Nullable JsonNode s3,
        @Nullable JsonNode gcs,
        @Nullable JsonNode azure,
        @Nullable JsonNode oss,
        @Nullable JsonNode hdfs,
        @Nullable JsonNode artifactory,
        @Nullable JsonNode http,
        @Nullable JsonNode git,
        @Nullable JsonNode raw,
        @Nullable JsonNode local,
        @Nullable JsonNode plugin) {

    /** The same, marked as deleted. */
    public Artifact asDeleted() {
        return new Artifact(
                name,
                path,
                from,
                fromExpression,
                subPath,
                globalName,
                mode,
                optional,
                recurseMode,
                archiveLogs,
                true,
                archive,
                artifactGC,
                s3,
                gcs,
                azure,
                oss,
                hdfs,
                artifactory,
                http,
                git,
                raw,
                local,
                plugin);
    }
}
