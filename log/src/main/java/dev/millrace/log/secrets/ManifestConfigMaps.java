package dev.millrace.log.secrets;

import dev.millrace.log.ConfigMaps;
import dev.millrace.log.ManifestKey;
import dev.millrace.log.plain.ManifestLog;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** Config maps from the manifests. */
public final class ManifestConfigMaps implements ConfigMaps {

    private final ManifestLog manifests;

    public ManifestConfigMaps(ManifestLog manifests) {
        this.manifests = manifests;
    }

    @Override
    public Optional<Map<String, String>> data(String namespace, String name) {
        return manifests
                .find(new ManifestKey("ConfigMap", namespace, name))
                .map(stored -> texts(stored.manifest().path("data")));
    }

    private static Map<String, String> texts(JsonNode data) {
        Map<String, String> texts = new TreeMap<>();
        data.properties().forEach(entry -> texts.put(entry.getKey(), entry.getValue().asString()));
        return texts;
    }
}
