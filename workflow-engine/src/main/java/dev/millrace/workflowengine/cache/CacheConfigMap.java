package dev.millrace.workflowengine.cache;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.CacheRequest;
import dev.millrace.schemas.workflow.Outputs;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A ConfigMap as a cache: under each key of its data an entry as JSON text, with {@code nodeID},
 * {@code outputs}, {@code creationTimestamp} and {@code lastHitTimestamp}.
 */
final class CacheConfigMap {
    static final String KIND = "ConfigMap";

    /** What a ConfigMap can hold. */
    static final int MAX_BYTES = 1024 * 1024;

    private static final String LABEL = "workflows.argoproj.io/configmap-type";
    private static final String CACHE = "Cache";

    /** What a cache has under a key. */
    record Entry(Instant createdAt, @Nullable Outputs outputs) {}

    /** A ConfigMap, or an entry of it, that cannot be used; the message is for the workflow. */
    static final class UnusableException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        UnusableException(String message) {
            super(message);
        }
    }

    private CacheConfigMap() {}

    /**
     * The entry under a key, or null if there is none.
     *
     * @param configMap the manifest, or null if there is none
     * @throws UnusableException if the ConfigMap is used for something else, or the entry is none
     */
    static @Nullable Entry entry(@Nullable JsonNode configMap, String key) {
        if (configMap == null) {
            return null;
        }
        checkPurpose(configMap);
        JsonNode text = configMap.path("data").path(key);
        if (text.isMissingNode()) {
            return null;
        }
        try {
            JsonNode entry = Json.mapper().readTree(text.asString(""));
            Instant createdAt =
                    OffsetDateTime.parse(entry.path("creationTimestamp").asString("")).toInstant();
            JsonNode outputs = entry.path("outputs");
            return new Entry(
                    createdAt, outputs.isObject() ? Json.convert(outputs, Outputs.class) : null);
        } catch (JacksonException | DateTimeException | IllegalArgumentException e) {
            throw new UnusableException(
                    "the cache entry '%s' of ConfigMap %s is malformed, delete it: %s"
                            .formatted(key, name(configMap), e.getMessage()));
        }
    }

    /**
     * The ConfigMap with an entry; if it would be too large, the oldest ones go.
     *
     * @param configMap the manifest as it stands, or null if there is none
     * @return the same object if it has a newer entry already
     * @throws UnusableException if the ConfigMap is used for something else
     */
    static JsonNode with(@Nullable JsonNode configMap, CacheRequest.Save save) {
        if (configMap != null) {
            checkPurpose(configMap);
            if (!createdAt(configMap.path("data").path(save.cacheKey())).isBefore(save.at())) {
                return configMap; // A repeat, or another workflow was later.
            }
        }
        ObjectNode changed = configMap == null ? empty(save) : (ObjectNode) configMap.deepCopy();
        ObjectNode data = changed.withObject("/data");
        ObjectNode entry = Json.object();
        entry.put("nodeID", save.nodeId());
        entry.set("outputs", save.outputs() == null ? Json.object() : Json.tree(save.outputs()));
        entry.put("creationTimestamp", save.at().toString());
        entry.put("lastHitTimestamp", save.at().toString());
        data.put(save.cacheKey(), entry.toString());
        evict(data, save.cacheKey());
        return changed;
    }

    private static ObjectNode empty(CacheRequest.Save save) {
        String namespace = save.workflow().namespace();
        ObjectNode made = Json.object();
        made.put("apiVersion", "v1").put("kind", KIND);
        ObjectNode metadata = made.putObject("metadata");
        metadata.put("name", save.cacheName()).put("namespace", namespace);
        metadata.put(
                "uid",
                UUID.nameUUIDFromBytes(
                                ("millrace cache "
                                                + namespace
                                                + "/"
                                                + save.cacheName()
                                                + "/"
                                                + save.at())
                                        .getBytes(StandardCharsets.UTF_8))
                        .toString());
        metadata.put("creationTimestamp", save.at().toString());
        metadata.putObject("labels").put(LABEL, CACHE);
        return made;
    }

    private static void evict(ObjectNode data, String newest) {
        Map<String, Integer> sizes = new LinkedHashMap<>();
        data.properties()
                .forEach(
                        e ->
                                sizes.put(
                                        e.getKey(),
                                        bytes(e.getKey()) + bytes(e.getValue().asString(""))));
        int total = sizes.values().stream().mapToInt(Integer::intValue).sum();
        if (total <= MAX_BYTES) {
            return;
        }
        for (String key :
                sizes.keySet().stream()
                        .filter(k -> !k.equals(newest))
                        .sorted(
                                Comparator.comparing((String k) -> createdAt(data.path(k)))
                                        .thenComparing(k -> k))
                        .toList()) {
            if (total <= MAX_BYTES) {
                return;
            }
            total -= sizes.getOrDefault(key, 0);
            data.remove(key);
        }
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /** What is no entry counts as the oldest. */
    private static Instant createdAt(JsonNode text) {
        try {
            JsonNode entry = Json.mapper().readTree(text.asString(""));
            return OffsetDateTime.parse(entry.path("creationTimestamp").asString("")).toInstant();
        } catch (JacksonException | DateTimeException e) {
            return Instant.MIN;
        }
    }

    private static void checkPurpose(JsonNode configMap) {
        String purpose = configMap.path("metadata").path("labels").path(LABEL).asString(CACHE);
        if (!purpose.equals(CACHE)) {
            throw new UnusableException(
                    "ConfigMap %s is no cache: its label %s is %s; name another ConfigMap in memoize.cache"
                            .formatted(name(configMap), LABEL, purpose));
        }
    }

    private static String name(JsonNode configMap) {
        return configMap.path("metadata").path("name").asString("");
    }
}
