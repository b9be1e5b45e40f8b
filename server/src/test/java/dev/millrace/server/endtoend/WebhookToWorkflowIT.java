package dev.millrace.server.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testkit.Await;
import dev.millrace.testkit.Conformance;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** From the socket to the finished workflow, with manifests that are not changed by a character. */
final class WebhookToWorkflowIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Path QUICKSTART = Path.of("../examples/quickstart");

    @TempDir Path data;

    @Test
    void theQuickstartReleasesWhatWasPushedAndApproved() throws IOException {
        try (TestServer server = TestServer.start(data, "127.12.2.1")) {
            for (String file : List.of("eventsource", "sensor", "workflowtemplate")) {
                server.api().apply(Files.readString(QUICKSTART.resolve(file + ".yaml")));
            }
            URI push = URI.create("http://127.12.2.1:12000/push");
            post(server, push, "{\"branch\":\"experiment\",\"repository\":\"not-this\"}");
            post(server, push, "{\"branch\":\"main\",\"repository\":\"weir\"}");
            URI approve = URI.create("http://127.12.2.1:12000/approve");
            post(server, approve, "{\"votes\":1,\"by\":\"one\"}");
            post(server, approve, "{\"votes\":2,\"by\":\"ada\"}");

            JsonNode release = onlyWorkflow(server.api());

            assertThat(ApiClient.phase(release)).as("%s", release).isEqualTo("Succeeded");
            assertThat(ApiClient.name(release)).startsWith("release-");
            assertThat(ApiClient.node(release, "sign").path("phase").asString("")).isEqualTo("Skipped");
            assertThat(server.api().log(ApiClient.name(release)))
                    .contains(
                            "weir 1.4.7, approved by ada. Built: [\"weir-1.4.7-linux\",\"weir-1.4.7-mac\",\"weir-1.4.7-windows\"]")
                    .anyMatch(line -> line.matches("release release-\\w+: Succeeded after [0-9.]+ s"));
            assertThat(whatBecameOfEvents(server.api())).hasSize(4);
        }
    }

    @Test
    void theWebhookSensorStartsAWorkflowWithTheBody() throws IOException {
        Path manifests = Conformance.assumePresent().resolve("events/manifests");
        try (TestServer server = TestServer.start(data, "127.12.2.2")) {
            apply(server, manifests, "event-sources/webhook.yaml", "sensors/webhook.yaml");

            post(server, URI.create("http://127.12.2.2:12000/example"), "{\"a\":1}");

            JsonNode workflow = onlyWorkflow(server.api());
            assertThat(ApiClient.phase(workflow)).as("%s", workflow).isEqualTo("Succeeded");
            assertThat(ApiClient.name(workflow)).startsWith("webhook-");
            assertThat(server.api().log(ApiClient.name(workflow))).containsExactly("{\"a\":1}");
        }
    }

    @Test
    void theSpecialTriggerSubmitsByTheWorkflowTrigger() throws IOException {
        Path manifests = Conformance.assumePresent().resolve("events/manifests");
        try (TestServer server = TestServer.start(data, "127.12.2.3")) {
            apply(server, manifests, "event-sources/webhook.yaml", "sensors/special-workflow-trigger.yaml");

            // The entry is at the API's port too.
            server.api()
                    .post("/webhooks/default/webhook/example", "application/json", "{\"b\":[true,null]}")
                    .ok();

            JsonNode workflow = onlyWorkflow(server.api());
            assertThat(ApiClient.phase(workflow)).as("%s", workflow).isEqualTo("Succeeded");
            assertThat(server.api().log(ApiClient.name(workflow))).containsExactly("{\"b\":[true,null]}");
        }
    }

    @Test
    void theCalendarsTicksStartWorkflows() throws IOException {
        Path manifests = Conformance.assumePresent().resolve("events/manifests");
        try (TestServer server = TestServer.start(data, "127.12.2.4")) {
            apply(server, manifests, "event-sources/calendar.yaml", "sensors/calendar.yaml");

            JsonNode workflow = onlyWorkflow(server.api());
            assertThat(ApiClient.phase(workflow)).as("%s", workflow).isEqualTo("Succeeded");
        }
    }

    @Test
    void aSensorWaitsForTheWebhookAndTheCalendar() throws IOException {
        Path manifests = Conformance.assumePresent().resolve("events/manifests");
        try (TestServer server = TestServer.start(data, "127.12.2.5")) {
            apply(
                    server,
                    manifests,
                    "event-sources/webhook.yaml",
                    "event-sources/calendar.yaml",
                    "sensors/multi-dependencies.yaml");

            post(server, URI.create("http://127.12.2.5:12000/example"), "{\"a\":\"here\"}");

            // The manifest gives its template an argument that the template does not declare: the real one fails so too.
            JsonNode workflow = onlyWorkflow(server.api());
            assertThat(ApiClient.parameter(workflow, 0)).isEqualTo("here");
            assertThat(ApiClient.parameter(workflow, 1)).matches("20\\d\\d-.*");
        }
    }

    private static void apply(TestServer server, Path folder, String... files) throws IOException {
        for (String file : files) {
            server.api().apply(Files.readString(folder.resolve(file)));
        }
    }

    /** A source listens soon after it was applied, not at once. */
    private static void post(TestServer server, URI address, String json) {
        Await.until("a post to " + address + " is taken", () -> server.api().webhook(address, json).status() == 200);
    }

    private static JsonNode onlyWorkflow(ApiClient api) {
        JsonNode first =
                Await.value(
                        "a workflow was started",
                        PATIENCE,
                        () -> api.workflows().stream().findFirst().or(() -> Optional.empty()));
        return api.finished(ApiClient.name(first), PATIENCE);
    }

    private static List<JsonNode> whatBecameOfEvents(ApiClient api) {
        return api.get("/api/v1/millrace/events").ok().json().path("items").valueStream().toList();
    }
}
