package dev.millrace.executors.artifact;

import dev.millrace.schemas.workflow.Artifact;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Where an artifact says it lies, by the kind of the place. */
public sealed interface ArtifactLocation {

    /** The folder of artifacts that the server keeps. */
    record Local(String key) implements ArtifactLocation {}

    /** A bucket of an S3 server; the tree holds endpoint, credentials and the like. */
    record S3(String bucket, String key, JsonNode tree) implements ArtifactLocation {}

    /** An address of the web; read with GET, written with PUT. */
    record Http(String url, JsonNode tree) implements ArtifactLocation {}

    /** A repository, read-only. */
    record Git(String repository, JsonNode tree) implements ArtifactLocation {}

    /** The text itself, read-only. */
    record Raw(String data) implements ArtifactLocation {}

    /**
     * The location of an artifact. Its {@code subPath} is a part of the key already.
     *
     * @throws ArtifactException if it has none, an incomplete one, or one of a kind that is not
     *     known here
     */
    static ArtifactLocation of(Artifact artifact) throws ArtifactException {
        JsonNode local = artifact.local();
        JsonNode s3 = artifact.s3();
        JsonNode http = artifact.http();
        JsonNode git = artifact.git();
        JsonNode raw = artifact.raw();
        if (local != null) {
            return new Local(text(local, "local", "key"));
        }
        if (s3 != null) {
            return new S3(text(s3, "s3", "bucket"), text(s3, "s3", "key"), s3);
        }
        if (http != null) {
            return new Http(text(http, "http", "url"), http);
        }
        if (git != null) {
            return new Git(text(git, "git", "repo"), git);
        }
        if (raw != null) {
            return new Raw(raw.path("data").asString(""));
        }
        String others = others(artifact);
        throw new ArtifactException(
                others.isEmpty()
                        ? "it says nowhere where it lies, and no artifact repository is configured (setting artifactRepository)"
                        : "a store of kind %s is not known here; there are local, s3, http, git and raw"
                                .formatted(others));
    }

    /** Whether an artifact names a place, known here or not. */
    static boolean isNamed(Artifact artifact) {
        return artifact.local() != null
                || artifact.s3() != null
                || artifact.http() != null
                || artifact.git() != null
                || artifact.raw() != null
                || !others(artifact).isEmpty();
    }

    private static String text(JsonNode tree, String kind, String member) throws ArtifactException {
        String text = tree.path(member).asString("");
        if (text.isEmpty()) {
            throw new ArtifactException("%s.%s is missing".formatted(kind, member));
        }
        return text;
    }

    private static String others(Artifact artifact) {
        Map<String, @Nullable JsonNode> kinds = new LinkedHashMap<>();
        kinds.put("gcs", artifact.gcs());
        kinds.put("azure", artifact.azure());
        kinds.put("oss", artifact.oss());
        kinds.put("hdfs", artifact.hdfs());
        kinds.put("artifactory", artifact.artifactory());
        kinds.put("plugin", artifact.plugin());
        return kinds.entrySet().stream()
                .filter(e -> e.getValue() != null)
                .map(Map.Entry::getKey)
                .collect(Collectors.joining(", "));
    }
}
