package dev.millrace.cli.client;

import tools.jackson.databind.JsonNode;

/** The events that a server has taken, and what became of them. */
public final class Events {

    private static final String PATH = "/api/v1/millrace/events";

    private final ApiClient api;

    public Events(ApiClient api) {
        this.api = api;
    }

    /**
     * The newest events, the newest first.
     *
     * @param namespace empty for all
     * @param source name of an event source, empty for all
     */
    public JsonNode list(String namespace, String source, int limit) {
        return api.get(
                        PATH,
                        Query.none()
                                .with("namespace", namespace)
                                .with("source", source)
                                .with("limit", Integer.toString(limit)))
                .path("items");
    }

    /** One event with its data, the decisions about it, activations and workflows. */
    public JsonNode get(String id) {
        return api.get(PATH + "/" + Query.segment(id), Query.none());
    }
}
