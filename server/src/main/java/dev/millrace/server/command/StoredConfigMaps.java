package dev.millrace.server.command;

import dev.millrace.log.plain.ManifestLog;
import dev.millrace.schemas.manifest.Kind;
import dev.millrace.workflowengine.submission.ConfigMapLookup;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** ConfigMaps from the manifests. */
public final class StoredConfigMaps implements ConfigMapLookup {

    private final ManifestLog manifests;

    public StoredConfigMaps(ManifestLog manifests) {
        this.manifests = manifests;
    }

    @Override
    public Map<String, Map<String, String>> parameters(String namespace) {
        Map<String, Map<String, String>> all = new TreeMap<>();
        for (ManifestLog.Stored stored : manifests.list(Kind.CONFIG_MAP.yamlName(), namespace)) {
            JsonNode labels = stored.manifest().path("metadata").path("labels");
            if (labels.path(LABEL).asString("").equals(PARAMETER)) {
                Map<String, String> data = new TreeMap<>();
                stored.manifest()
                        .path("data")
                        .properties()
                        .forEach(e -> data.put(e.getKey(), e.getValue().asString("")));
                all.put(stored.key().name(), data);
            }
        }
        return all;
    }
}
