package dev.millrace.server.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.Json;
import dev.millrace.testkit.Await;
import dev.millrace.testkit.Conformance;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Events that are posted to the API start the workflows that WorkflowEventBindings say. */
final class EventBindingsIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String TEMPLATE =
            """
            apiVersion: argoproj.io/v1alpha1
            kind: WorkflowTemplate
            metadata: {name: ship}
            spec:
              entrypoint: main
              arguments: {parameters: [{name: id}]}
              templates:
                - {name: main, suspend: {duration: "0"}}
            ---
            """;

    @TempDir static Path folder;
    private static TestServer server;
    private static ApiClient api;

    private final HttpClient http = HttpClient.newHttpClient();

    @BeforeAll
    static void start() {
        server = TestServer.start(folder, "127.12.21.1");
        api = server.api();
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void theExampleOfTheFieldGreetsWhoIsNamedInTheEvent() throws IOException {
        Path manifests =
                Conformance.assumePresent().resolve("workflows/manifests/workflow-event-binding");
        // The binding first: its template may come later.
        for (String file : List.of("workfloweventbinding", "workflowtemplate")) {
            api.apply(Files.readString(manifests.resolve("event-consumer-" + file + ".yaml")));
        }

        HttpResponse<String> answer =
                event("default", "greet", "{\"appellation\":\"World\"}", "X-Any", "1");

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("{}");
        // The answer comes when the workflow is there to be read.
        JsonNode workflow = of("default", "event-consumer").getFirst();
        assertThat(ApiClient.name(workflow)).matches("event-consumer-[a-z0-9]{10}");
        assertThat(workflow.at("/metadata/labels").toString())
                .contains("\"workflows.argoproj.io/workflow-template\":\"event-consumer\"")
                .doesNotContain("events.argoproj.io/sensor");
        JsonNode done = api.finished(ApiClient.name(workflow), PATIENCE);
        assertThat(ApiClient.phase(done)).isEqualTo("Succeeded");
        assertThat(api.log(ApiClient.name(done))).containsExactly("hello World");
    }

    @Test
    void oneThatFailsIsToldAndTheOthersStillRun() {
        api.apply(
                TEMPLATE
                        + binding("good", "discriminator == \"mixed\"", "ship", "payload.id")
                        + binding("lost", "discriminator == \"mixed\"", "not-there", "payload.id")
                        + binding("mute", "discriminator == \"mixed\"", "ship", "payload.id.a.b"));

        HttpResponse<String> answer = event("default", "mixed", "{\"id\":1}");

        assertThat(answer.statusCode()).isEqualTo(500);
        JsonNode body = Json.mapper().readTree(answer.body());
        assertThat(body.path("code").asInt()).isEqualTo(13);
        assertThat(body.path("message").asString(""))
                .contains("WorkflowEventBinding lost: ", "not-there")
                .contains(
                        "WorkflowEventBinding mute: failed to evaluate workflow template parameter")
                .doesNotContain("WorkflowEventBinding good");
        assertThat(of("default", "good")).hasSize(1);
        String id = answer.headers().firstValue("Millrace-Command-Id").orElseThrow();
        JsonNode event = api.get("/api/v1/millrace/events/" + id).ok().json();
        assertThat(event.path("decisions").valueStream().map(d -> d.path("outcome").asString("")))
                .contains("asked", "dispatched", "failed");
        assertThat(event.path("activations").toString()).contains("default/ship-");
        Await.until(
                "both failures are dead letters",
                () -> {
                    String letters = api.get("/api/v1/millrace/dead-letters").ok().body();
                    return letters.contains("WorkflowEventBinding mute")
                            && letters.contains("not-there");
                });
    }

    @Test
    void headersAreMetadataAndARepeatWithTheSameIdStartsNothingTwice() {
        api.apply(
                TEMPLATE
                        + binding(
                                "hook",
                                "metadata[\"x-kind\"] == [\"push\"] && metadata[\"authorization\"] == nil",
                                "ship",
                                "discriminator"));
        String[] headers = {"X-Kind", "push", "Authorization", "x", "Millrace-Command-Id", "one"};

        for (int i = 0; i < 3; i++) {
            assertThat(event("default", "a b", "", headers).statusCode()).isEqualTo(200);
        }

        List<JsonNode> started = of("default", "hook");
        assertThat(started).hasSize(1);
        assertThat(ApiClient.parameter(started.getFirst(), 0)).isEqualTo("a b");
        assertThat(event("default", "x", "1", "X-Kind", "pull").statusCode()).isEqualTo(200);
        assertThat(event("elsewhere", "x", "1", "X-Kind", "push").statusCode()).isEqualTo(200);
        assertThat(of("default", "hook")).hasSize(1);
    }

    @Test
    void theNameOfTheWorkflowMayComeFromTheEventAndIsTakenOnce() {
        api.apply(
                TEMPLATE
                        + binding("named", "discriminator == \"named\"", "ship", "payload.id")
                                .replace(
                                        "  submit:",
                                        "  submit:\n    metadata: {name: payload.id}"));

        assertThat(event("default", "named", "{\"id\":\"n-1\"}").statusCode()).isEqualTo(200);
        HttpResponse<String> second = event("default", "named", "{\"id\":\"n-1\"}");

        assertThat(second.statusCode()).isEqualTo(500);
        assertThat(second.body()).contains("already exists");
        String id = second.headers().firstValue("Millrace-Command-Id").orElseThrow();
        HttpResponse<String> again =
                event("default", "named", "{\"id\":\"n-1\"}", "Millrace-Command-Id", id);
        assertThat(again.statusCode()).isEqualTo(500);
        assertThat(again.body()).isEqualTo(second.body());
        assertThat(of("default", "named")).extracting(ApiClient::name).containsExactly("n-1");
    }

    @Test
    void whatIsNoJsonIsRefusedAndAnEventThatNobodyWantsIsFine() {
        assertThat(event("default", "d", "{\"a\":").statusCode()).isEqualTo(400);
        assertThat(event("default", "d", "{} {}").statusCode()).isEqualTo(400);
        assertThat(event("default%2Fx", "d", "{}").statusCode()).isEqualTo(400);
        assertThat(event("nobody", "d", "[1,2]").statusCode()).isEqualTo(200);
        assertThat(event("nobody", "d", "").statusCode()).isEqualTo(200);
    }

    @Test
    void bindingsAreListedReadChangedAndDeleted() {
        String address = "/api/v1/workflow-event-bindings/crud";
        String sent =
                """
                {"workflowEventBinding":{"metadata":{"name":"b"},"spec":{"event":{"selector":"false"}}}}""";
        assertThat(api.post(address, "application/json", sent).ok().body()).contains("\"uid\"");
        assertThat(api.get(address).ok().json().at("/items/0/metadata/name").asString(""))
                .isEqualTo("b");
        api.put(address + "/b", sent.replace("false", "true")).ok();
        assertThat(api.get(address + "/b").ok().json().at("/spec/event/selector").asString(""))
                .isEqualTo("true");
        ApiClient.Answer wrong =
                api.post(
                        address + "/lint",
                        "application/json",
                        sent.replace("\"false\"", "\"payload ==\""));
        assertThat(wrong.status()).isEqualTo(400);
        assertThat(wrong.body()).contains("spec.event.selector", "is no expression");
        api.delete(address + "/b").ok();
        assertThat(api.get(address + "/b").status()).isEqualTo(404);
    }

    private static String binding(String name, String selector, String template, String id) {
        return """
        apiVersion: argoproj.io/v1alpha1
        kind: WorkflowEventBinding
        metadata: {name: %s}
        spec:
          event: {selector: '%s'}
          submit:
            workflowTemplateRef: {name: %s}
            arguments: {parameters: [{name: id, valueFrom: {event: %s}}]}
        ---
        """
                .formatted(name, selector, template, id);
    }

    private static List<JsonNode> of(String namespace, String binding) {
        return api.get(
                        "/api/v1/workflows/%s?listOptions.labelSelector=workflows.argoproj.io/workflow-event-binding=%s"
                                .formatted(namespace, binding))
                .ok()
                .json()
                .path("items")
                .valueStream()
                .toList();
    }

    private HttpResponse<String> event(
            String namespace, String discriminator, String body, String... headers) {
        URI address =
                api.address()
                        .resolve(
                                "/api/v1/events/%s/%s"
                                        .formatted(namespace, discriminator.replace(" ", "%20")));
        HttpRequest.Builder request =
                HttpRequest.newBuilder(address).POST(BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            return http.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}
