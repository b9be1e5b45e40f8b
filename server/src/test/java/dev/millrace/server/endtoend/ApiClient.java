package dev.millrace.server.endtoend;

import dev.millrace.schemas.Json;
import dev.millrace.testkit.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** Speaks to a server as a client in the same machine does. */
final class ApiClient {
    static final String NAMESPACE = "default";
    private static final Set<String> ENDS = Set.of("Succeeded", "Failed", "Error");
    private static final String WORKFLOWS = "/api/v1/workflows/" + NAMESPACE;

    /** What came back. */
    record Answer(int status, String body) {

        JsonNode json() {
            return Json.mapper().readTree(body);
        }

        /** Fails if the server did not say that all went well. */
        Answer ok() {
            if (status != 200) {
                throw new AssertionError("status " + status + ": " + body);
            }
            return this;
        }
    }

    private final HttpClient http = HttpClient.newHttpClient();
    private final URI base;

    ApiClient(URI base) {
        this.base = base;
    }

    URI address() {
        return base;
    }

    Answer get(String path) {
        return send(HttpRequest.newBuilder(base.resolve(path)).GET());
    }

    Answer delete(String path) {
        return send(HttpRequest.newBuilder(base.resolve(path)).DELETE());
    }

    Answer post(String path, String contentType, String body) {
        return send(
                HttpRequest.newBuilder(base.resolve(path))
                        .header("Content-Type", contentType)
                        .POST(BodyPublishers.ofString(body)));
    }

    Answer put(String path, String json) {
        return send(
                HttpRequest.newBuilder(base.resolve(path))
                        .header("Content-Type", "application/json")
                        .PUT(BodyPublishers.ofString(json)));
    }

    /** Posts to any address, as the sender of a webhook does. */
    Answer webhook(URI address, String json) {
        return send(
                HttpRequest.newBuilder(address)
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(json)));
    }

    /** Applies documents of any kinds; fails if one is refused. */
    void apply(String manifests) {
        post("/api/v1/manifests", "application/yaml", manifests).ok();
    }

    /** Submits a workflow; gives its name. */
    String submit(JsonNode workflow) {
        JsonNode body = Json.object().set("workflow", workflow);
        return post(WORKFLOWS, "application/json", body.toString())
                .ok()
                .json()
                .path("metadata")
                .path("name")
                .asString();
    }

    /** The object of a workflow. */
    JsonNode workflow(String name) {
        return get(WORKFLOWS + "/" + name).ok().json();
    }

    /** All workflows. */
    List<JsonNode> workflows() {
        List<JsonNode> all = new ArrayList<>();
        get(WORKFLOWS).ok().json().path("items").forEach(all::add);
        return all;
    }

    static String phase(JsonNode workflow) {
        return workflow.path("status").path("phase").asString("");
    }

    static String name(JsonNode workflow) {
        return workflow.path("metadata").path("name").asString("");
    }

    /** The workflow when it has come to its end. */
    JsonNode finished(String name, Duration atMost) {
        return Await.value(
                "workflow " + name + " ends",
                atMost,
                () -> Optional.of(workflow(name)).filter(w -> ENDS.contains(phase(w))));
    }

    /** The node with this name within the workflow, which must be there. */
    static JsonNode node(JsonNode workflow, String displayName) {
        for (JsonNode node : workflow.path("status").path("nodes")) {
            if (node.path("displayName").asString("").equals(displayName)) {
                return node;
            }
        }
        throw new AssertionError("no node " + displayName + " in " + workflow.path("status"));
    }

    static String parameter(JsonNode workflow, int index) {
        return workflow.path("spec")
                .path("arguments")
                .path("parameters")
                .path(index)
                .path("value")
                .asString("");
    }

    /** What all steps of a workflow wrote, line by line. */
    List<String> log(String name) {
        return log(name, "main");
    }

    /** What this container of all steps of a workflow wrote. */
    List<String> log(String name, String container) {
        return get(WORKFLOWS + "/" + name + "/log?logOptions.container=" + container)
                .ok()
                .body()
                .lines()
                .filter(line -> !line.isBlank())
                .map(
                        line ->
                                Json.mapper()
                                        .readTree(line)
                                        .path("result")
                                        .path("content")
                                        .asString(""))
                .toList();
    }

    /** Lines of a stream, as they come. The caller closes it. */
    Stream<String> stream(String path, String accept) {
        try {
            HttpResponse<Stream<String>> response =
                    http.send(
                            HttpRequest.newBuilder(base.resolve(path))
                                    .header("Accept", accept)
                                    .build(),
                            BodyHandlers.ofLines());
            if (response.statusCode() != 200) {
                throw new AssertionError("status " + response.statusCode() + " of " + path);
            }
            return response.body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    private Answer send(HttpRequest.Builder request) {
        try {
            HttpResponse<String> response =
                    http.send(
                            request.timeout(Duration.ofSeconds(30)).build(),
                            BodyHandlers.ofString());
            return new Answer(response.statusCode(), response.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}
