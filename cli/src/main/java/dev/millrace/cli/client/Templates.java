package dev.millrace.cli.client;

import dev.millrace.schemas.manifest.Kind;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The templates of a server, and the other definitions as far as they are looked at one by one. */
public final class Templates {

    private static final String PATH = "/api/v1/workflow-templates";

    private final ApiClient api;

    public Templates(ApiClient api) {
        this.api = api;
    }

    /**
     * All templates.
     *
     * @param namespace empty for all
     */
    public JsonNode list(String namespace) {
        return api.get(namespace.isEmpty() ? PATH : in(PATH, namespace), Query.none())
                .path("items");
    }

    public JsonNode get(String namespace, String name) {
        return api.get(in(PATH, namespace) + "/" + Query.segment(name), Query.none());
    }

    public void delete(String namespace, String name) {
        api.delete(in(PATH, namespace) + "/" + Query.segment(name), Query.none());
    }

    /** An event source or sensor with its status. */
    public JsonNode definition(Kind kind, String namespace, String name) {
        String path =
                switch (kind) {
                    case EVENT_SOURCE -> "/api/v1/event-sources";
                    case SENSOR -> "/api/v1/sensors";
                    case WORKFLOW,
                            WORKFLOW_TEMPLATE,
                            CLUSTER_WORKFLOW_TEMPLATE,
                            CRON_WORKFLOW,
                            WORKFLOW_EVENT_BINDING,
                            EVENT_BUS,
                            SECRET,
                            CONFIG_MAP ->
                            throw new IllegalArgumentException(
                                    kind + " has no status of this kind");
                };
        return api.get(in(path, namespace) + "/" + Query.segment(name), Query.none());
    }

    /** Names of the plugins for templates that are there; null if the server does not say. */
    public @Nullable Set<String> plugins() {
        JsonNode named = api.get("/api/v1/info", Query.none()).path("executorPlugins");
        if (!named.isArray()) {
            return null;
        }
        Set<String> names = new TreeSet<>();
        named.forEach(name -> names.add(name.asString("")));
        return names;
    }

    /** A template of either kind; empty if there is none of the name. */
    public Optional<JsonNode> find(Kind kind, String namespace, String name) {
        String path =
                kind.isNamespaced() ? in(PATH, namespace) : "/api/v1/cluster-workflow-templates";
        try {
            return Optional.of(api.get(path + "/" + Query.segment(name), Query.none()));
        } catch (ApiException e) {
            if (e.isNotFound()) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private static String in(String path, String namespace) {
        return path + "/" + Query.segment(namespace);
    }
}
