package dev.millrace.workflowengine.conformance;

import dev.millrace.schemas.manifest.ManifestDocument;
import dev.millrace.schemas.manifest.ManifestReader;
import dev.millrace.workflowengine.submission.ConfigMapLookup;
import dev.millrace.workflowengine.submission.TemplateLookup;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The manifests of a conformance folder: the documents of each file, and all templates, as if they
 * had been applied.
 */
final class Manifests implements TemplateLookup, ConfigMapLookup {
    private final Path folder;
    private final Map<String, JsonNode> namespaced = new HashMap<>();
    private final Map<String, JsonNode> cluster = new HashMap<>();
    private final Map<String, Map<String, String>> configMaps = new HashMap<>();

    Manifests(Path folder) {
        this.folder = folder;
        try (Stream<Path> files = Files.walk(folder)) {
            files.filter(f -> f.toString().endsWith(".yaml")).sorted().forEach(this::apply);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void apply(Path file) {
        for (JsonNode tree : documents(folder.relativize(file).toString())) {
            String name = tree.path("metadata").path("name").asString("");
            switch (tree.path("kind").asString("")) {
                case "WorkflowTemplate" -> namespaced.put(name, tree);
                case "ClusterWorkflowTemplate" -> cluster.put(name, tree);
                case "ConfigMap" -> {
                    if (tree.path("metadata")
                            .path("labels")
                            .path(LABEL)
                            .asString("")
                            .equals(PARAMETER)) {
                        Map<String, String> data = new HashMap<>();
                        tree.path("data")
                                .properties()
                                .forEach(e -> data.put(e.getKey(), e.getValue().asString("")));
                        configMaps.put(name, data);
                    }
                }
                default -> {}
            }
        }
    }

    /** The documents of one file. */
    List<JsonNode> documents(String path) {
        try {
            String text = Files.readString(folder.resolve(path));
            List<JsonNode> trees = new ArrayList<>();
            for (ManifestDocument document : ManifestReader.read(path, text).documents()) {
                trees.add(document.manifest().tree());
            }
            return trees;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Map<String, Map<String, String>> parameters(String namespace) {
        return configMaps;
    }

    @Override
    public @Nullable JsonNode workflowTemplate(String namespace, String name) {
        return namespaced.get(name);
    }

    @Override
    public @Nullable JsonNode clusterWorkflowTemplate(String name) {
        return cluster.get(name);
    }
}
