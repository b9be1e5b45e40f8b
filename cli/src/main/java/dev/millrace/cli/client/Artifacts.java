package dev.millrace.cli.client;

import dev.millrace.cli.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** What the steps of workflows stored. */
public final class Artifacts {

    /**
     * An output artifact that is still there.
     *
     * @param templateName empty where the node has none
     * @param key within its store; empty where the store has none
     */
    public record Stored(
            String namespace,
            String workflow,
            String nodeId,
            String templateName,
            String name,
            String key) {

        private String path(String route) {
            return "/%s/%s/%s/%s/%s"
                    .formatted(
                            route,
                            Query.segment(namespace),
                            Query.segment(workflow),
                            Query.segment(nodeId),
                            Query.segment(name));
        }

        private String folder() {
            return "/artifact-files/%s/workflows/%s/%s/outputs/%s"
                    .formatted(
                            Query.segment(namespace),
                            Query.segment(workflow),
                            Query.segment(nodeId),
                            Query.segment(name));
        }

        private String file() {
            String last = key.substring(key.lastIndexOf('/') + 1);
            return last.isEmpty() ? name : last;
        }
    }

    private final ApiClient api;

    public Artifacts(ApiClient api) {
        this.api = api;
    }

    /** Those of a workflow's pods, node by node. */
    public static List<Stored> of(JsonNode workflow) {
        List<Stored> all = new ArrayList<>();
        JsonNode metadata = workflow.path("metadata");
        for (JsonNode node : workflow.path("status").path("nodes")) {
            // Groups pass on what their pods stored.
            if (!node.path("type").asString("").equals("Pod")) {
                continue;
            }
            for (JsonNode artifact : node.path("outputs").path("artifacts")) {
                if (!artifact.path("deleted").asBoolean(false)) {
                    all.add(
                            new Stored(
                                    metadata.path("namespace").asString(""),
                                    metadata.path("name").asString(""),
                                    node.path("id").asString(""),
                                    node.path("templateName").asString(""),
                                    artifact.path("name").asString(""),
                                    key(artifact)));
                }
            }
        }
        return all;
    }

    private static String key(JsonNode artifact) {
        for (String store : List.of("local", "s3")) {
            String key = artifact.path(store).path("key").asString("");
            if (!key.isEmpty()) {
                return key;
            }
        }
        return "";
    }

    /**
     * Copies an artifact, as it is stored, into a folder.
     *
     * @return the files that were made
     */
    public List<Path> copy(Stored artifact, Path folder) {
        Path target = folder.resolve(artifact.file());
        if (api.download(artifact.path("artifacts"), file(target))) {
            return List.of(target);
        }
        List<Path> made = new ArrayList<>();
        for (JsonNode name : api.get(artifact.folder() + "/", Query.none())) {
            Path file = folder.resolve(name.asString("")).normalize();
            if (!file.startsWith(folder.normalize())) {
                throw CommandException.refused(
                        "the artifact %s has a file %s that would lie outside of %s"
                                .formatted(artifact.name(), name.asString(""), folder));
            }
            StringBuilder path = new StringBuilder(artifact.folder());
            for (String part : name.asString("").split("/", -1)) {
                path.append('/').append(Query.segment(part));
            }
            api.download(path.toString(), file(file));
            made.add(file);
        }
        return made;
    }

    private static Path file(Path file) {
        try {
            Path parent = file.getParent();
            if (parent != null) {
                Files.createDirectories(parent);
            }
            return file;
        } catch (IOException e) {
            throw CommandException.refused(
                    "the folder of %s cannot be made: %s".formatted(file, e.getMessage()));
        }
    }
}
