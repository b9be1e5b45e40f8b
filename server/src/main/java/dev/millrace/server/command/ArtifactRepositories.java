package dev.millrace.server.command;

import dev.millrace.log.ManifestKey;
import dev.millrace.log.plain.ManifestLog;
import dev.millrace.schemas.manifest.Manifest;
import dev.millrace.schemas.yaml.Documents;
import dev.millrace.schemas.yaml.YamlReader;
import dev.millrace.server.configuration.ArtifactRepository;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * Settles the artifact repository of a workflow: the one that its {@code artifactRepositoryRef}
 * names, else the default one of its namespace, else the configured one.
 */
public final class ArtifactRepositories {
    private static final String CONFIG_MAP = "artifact-repositories";
    private static final String DEFAULT_KEY = "workflows.argoproj.io/default-artifact-repository";

    private final ManifestLog manifests;
    private final ArtifactRepository configured;

    /**
     * @param configured that of the configuration, without a problem
     */
    public ArtifactRepositories(ManifestLog manifests, ArtifactRepository configured) {
        this.manifests = manifests;
        this.configured = configured;
    }

    /**
     * The repository of a workflow.
     *
     * @param spec with references to templates merged
     * @throws RefusedException if what the reference names is not there, or cannot be used
     */
    public JsonNode of(JsonNode spec, String namespace) {
        JsonNode reference = spec.path("artifactRepositoryRef");
        if (!reference.isObject()) {
            return configMap(namespace, CONFIG_MAP)
                    .filter(map -> !defaultKey(map).isEmpty())
                    .map(map -> entry(map, CONFIG_MAP, defaultKey(map)))
                    .orElse(configured.tree());
        }
        String name = reference.path("configMap").asString("");
        String wanted = name.isEmpty() ? CONFIG_MAP : name;
        JsonNode map =
                configMap(namespace, wanted)
                        .or(() -> configMap(Manifest.DEFAULT_NAMESPACE, wanted))
                        .orElseThrow(
                                () ->
                                        refused(
                                                "there is no ConfigMap %s in namespace %s or %s; apply it first"
                                                        .formatted(
                                                                wanted,
                                                                namespace,
                                                                Manifest.DEFAULT_NAMESPACE)));
        String key = reference.path("key").asString("");
        if (key.isEmpty() && defaultKey(map).isEmpty()) {
            throw refused(
                    "it names no key, and ConfigMap %s has no annotation %s"
                            .formatted(wanted, DEFAULT_KEY));
        }
        return entry(map, wanted, key.isEmpty() ? defaultKey(map) : key);
    }

    private Optional<JsonNode> configMap(String namespace, String name) {
        return manifests
                .find(new ManifestKey("ConfigMap", namespace, name))
                .map(ManifestLog.Stored::manifest);
    }

    private static String defaultKey(JsonNode map) {
        return map.path("metadata").path("annotations").path(DEFAULT_KEY).asString("");
    }

    private static JsonNode entry(JsonNode map, String name, String key) {
        JsonNode text = map.path("data").path(key);
        if (!text.isString()) {
            throw refused("ConfigMap %s has no key %s".formatted(name, key));
        }
        String place = "ConfigMap %s, key %s".formatted(name, key);
        Documents read = YamlReader.read(place, text.asString());
        if (!read.faults().isEmpty()) {
            var fault = read.faults().getFirst();
            throw refused(fault.place() + ": " + fault.message() + " " + fault.hint());
        }
        if (read.documents().size() != 1) {
            throw refused(place + ": one document is expected");
        }
        ArtifactRepository repository = new ArtifactRepository(read.documents().getFirst().tree());
        repository
                .problem()
                .ifPresent(
                        problem -> {
                            throw refused(place + ": " + problem);
                        });
        return repository.tree();
    }

    private static RefusedException refused(String message) {
        return RefusedException.invalid("artifact repository: " + message);
    }
}
