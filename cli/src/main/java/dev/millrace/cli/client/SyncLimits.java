package dev.millrace.cli.client;

import dev.millrace.schemas.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The limits of semaphores of a server, which stand in ConfigMaps. */
public final class SyncLimits {

    private static final String CONFIG_MAP = "CONFIG_MAP";

    private final ApiClient api;
    private final String namespace;
    private final String configMap;

    /**
     * @param configMap the name of the ConfigMap
     */
    public SyncLimits(ApiClient api, String namespace, String configMap) {
        this.api = api;
        this.namespace = namespace;
        this.configMap = configMap;
    }

    /** Makes one, and its ConfigMap if there is none; fails if the key is there. */
    public JsonNode create(String key, int limit) {
        return api.post(all(), message(key, limit));
    }

    public JsonNode get(String key) {
        return api.get(one(key), place());
    }

    /** Changes one that is there; who waits for it is let in at once. */
    public JsonNode update(String key, int limit) {
        return api.put(one(key), message(key, limit));
    }

    public void delete(String key) {
        api.delete(one(key), place());
    }

    private ObjectNode message(String key, int limit) {
        return Json.object()
                .put("namespace", namespace)
                .put("type", CONFIG_MAP)
                .put("cmName", configMap)
                .put("key", key)
                .put("limit", limit);
    }

    private Query place() {
        return Query.none().with("type", CONFIG_MAP).with("cmName", configMap);
    }

    private String all() {
        return "/api/v1/sync/" + Query.segment(namespace);
    }

    private String one(String key) {
        return all() + "/" + Query.segment(key);
    }
}
