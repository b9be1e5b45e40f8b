package dev.millrace.workflowengine.core;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.workflow.Artifact;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Where artifacts lie. The member of an artifact that names a store ({@code s3}, {@code local} …)
 * holds the place in it.
 */
final class Locations {
    /** The stores, each with the member that says which object it is. */
    private static final Map<String, String> KEYS = new LinkedHashMap<>();

    static {
        KEYS.put("s3", "key");
        KEYS.put("local", "key");
        KEYS.put("http", "url");
        KEYS.put("git", "repo");
        KEYS.put("raw", "data");
        KEYS.put("gcs", "key");
        KEYS.put("azure", "blob");
        KEYS.put("oss", "key");
        KEYS.put("hdfs", "path");
        KEYS.put("artifactory", "url");
        KEYS.put("plugin", "key");
    }

    /** What is behind an address cannot be deleted, nor what stands in the manifest. */
    private static final List<String> NOT_DELETABLE = List.of("http", "git", "raw", "hdfs");

    /** Members that say what the bucket is; without any of them it is the repository's. */
    private static final List<String> BUCKETS =
            List.of("bucket", "container", "url", "repo", "data", "name");

    /** Members that say whose bucket it is; its credentials are then no others' than its own. */
    private static final List<String> SERVERS = List.of("endpoint", "addresses");

    private Locations() {}

    /** The store that an artifact or a repository names, or null. */
    static @Nullable String store(JsonNode artifact) {
        for (String store : KEYS.keySet()) {
            if (artifact.hasNonNull(store)) {
                return store;
            }
        }
        return null;
    }

    static boolean located(JsonNode artifact) {
        return store(artifact) != null;
    }

    /** Takes the place out of an artifact. */
    static void clear(ObjectNode artifact) {
        KEYS.keySet().forEach(artifact::remove);
    }

    /** The key within the store; empty if there is none. */
    static String key(JsonNode artifact) {
        String store = store(artifact);
        return store == null
                ? ""
                : artifact.path(store).path(KEYS.getOrDefault(store, "key")).asString("");
    }

    /**
     * Gives an artifact a complete place. What it does not say itself comes from the repository:
     * the bucket if it has only a key, the key too if it has none.
     *
     * @param repository a place whose key stands before the names of artifacts, or null if there is
     *     none
     * @param defaultKey the key if the artifact has none
     * @throws CallException if something is missing and there is no repository
     */
    static void complete(ObjectNode artifact, @Nullable ObjectNode repository, String defaultKey) {
        String store = store(artifact);
        if (store != null && hasOwnPlace(store, artifact.path(store))) {
            ObjectNode place = (ObjectNode) artifact.get(store);
            if (repository != null
                    && repository.hasNonNull(store)
                    && SERVERS.stream().noneMatch(place::hasNonNull)) {
                fill(place, repository.get(store));
            }
            if (key(artifact).isEmpty()) {
                setKey(artifact, defaultKey);
            }
            return;
        }
        String target = repository == null ? null : store(repository);
        if (repository == null || target == null) {
            throw new CallException(
                    "artifact "
                            + artifact.path("name").asString("")
                            + " names no complete place: You need to configure artifact storage");
        }
        String key = key(artifact);
        clear(artifact);
        ObjectNode place = (ObjectNode) repository.get(target).deepCopy();
        artifact.set(target, place);
        setKey(artifact, key.isEmpty() ? defaultKey : key);
    }

    private static boolean hasOwnPlace(String store, JsonNode place) {
        return store.equals("local")
                || BUCKETS.stream().anyMatch(place::hasNonNull)
                || SERVERS.stream().anyMatch(place::hasNonNull);
    }

    /** Says which object of its store an artifact is. */
    static void setKey(ObjectNode artifact, String key) {
        String store = store(artifact);
        if (store != null && artifact.get(store) instanceof ObjectNode place) {
            place.put(KEYS.getOrDefault(store, "key"), key);
        }
    }

    private static void fill(ObjectNode place, JsonNode from) {
        from.properties()
                .forEach(
                        p -> {
                            if (!place.has(p.getKey()) && !KEYS.containsValue(p.getKey())) {
                                place.set(p.getKey(), p.getValue());
                            }
                        });
    }

    /**
     * Goes down into an artifact that is a folder.
     *
     * @throws CallException if its store knows no folders
     */
    static void descend(ObjectNode artifact, String subPath) {
        if (subPath.isEmpty()) {
            return;
        }
        String store = store(artifact);
        if (store == null) {
            return;
        }
        if (store.equals("raw") || store.equals("git")) {
            throw new CallException(
                    "artifact "
                            + artifact.path("name").asString("")
                            + ": there is no subPath in a "
                            + store
                            + " artifact");
        }
        setKey(artifact, join(key(artifact), subPath));
    }

    /** Joins parts of a key by one slash. */
    static String join(String before, String after) {
        String head = before.replaceAll("/+$", "");
        String tail = after.replaceAll("^/+", "");
        return head.isEmpty() ? tail : head + "/" + tail;
    }

    static boolean deletable(Artifact artifact) {
        String store = store(Json.tree(artifact));
        return store != null && !NOT_DELETABLE.contains(store);
    }
}
