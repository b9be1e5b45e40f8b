package dev.millrace.cli.client;

import dev.millrace.schemas.Json;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The CronWorkflows of a server. */
public final class CronWorkflows {

    private static final String PATH = "/api/v1/cron-workflows";

    private final ApiClient api;

    public CronWorkflows(ApiClient api) {
        this.api = api;
    }

    /**
     * All of them.
     *
     * @param namespace empty for all
     */
    public List<JsonNode> list(String namespace, String labelSelector) {
        List<JsonNode> all = new ArrayList<>();
        api.get(
                        namespace.isEmpty() ? PATH : all(namespace),
                        Query.none().with("listOptions.labelSelector", labelSelector))
                .path("items")
                .forEach(all::add);
        return all;
    }

    public JsonNode get(String namespace, String name) {
        return api.get(one(namespace, name), Query.none());
    }

    /** Creates one; fails if it exists. */
    public JsonNode create(String namespace, JsonNode cron) {
        return api.post(all(namespace), message(namespace, cron));
    }

    /** Changes one that exists. */
    public JsonNode update(String namespace, String name, JsonNode cron) {
        return api.put(one(namespace, name), message(namespace, cron).put("name", name));
    }

    public void delete(String namespace, String name) {
        api.delete(one(namespace, name), Query.none());
    }

    /** Checks one as the server would before it takes it. */
    public void lint(String namespace, JsonNode cron) {
        api.post(all(namespace) + "/lint", message(namespace, cron));
    }

    public JsonNode suspend(String namespace, String name, boolean suspended) {
        return api.put(
                one(namespace, name) + (suspended ? "/suspend" : "/resume"),
                Json.object().put("name", name).put("namespace", namespace));
    }

    private static ObjectNode message(String namespace, JsonNode cron) {
        ObjectNode message = Json.object().put("namespace", namespace);
        message.set("cronWorkflow", cron);
        return message;
    }

    private static String all(String namespace) {
        return PATH + "/" + Query.segment(namespace);
    }

    private static String one(String namespace, String name) {
        return all(namespace) + "/" + Query.segment(name);
    }
}
