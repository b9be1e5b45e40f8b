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
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** From the socket to the finished workflow, with manifests that are not changed by a character. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
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

            JsonNode release = started(server.api(), "release-");

            assertThat(ApiClient.phase(release)).as("%s", release).isEqualTo("Succeeded");
            assertThat(ApiClient.name(release)).startsWith("release-");
            assertThat(ApiClient.node(release, "sign").path("phase").asString(""))
                    .isEqualTo("Skipped");
            assertThat(server.api().workflows()).hasSize(1);
            assertThat(server.api().log(ApiClient.name(release)))
                    .contains(
                            "weir 1.4.7, approved by ada. Built: [\"weir-1.4.7-linux\",\"weir-1.4.7-mac\",\"weir-1.4.7-windows\"]")
                    .anyMatch(
                            line ->
                                    line.matches(
                                            "release release-\\w+: Succeeded after [0-9.]+ s"));
            assertThat(whatBecameOfEvents(server.api())).hasSize(4);
        }
    }

    @Test
    void theExamplesOfWebhookAndCalendarStartTheirWorkflows() throws IOException {
        Path manifests = Conformance.assumePresent().resolve("events/manifests");
        try (TestServer server = TestServer.start(data, "127.12.2.2")) {
            for (String file :
                    List.of(
                            "event-sources/webhook.yaml",
                            "event-sources/calendar.yaml",
                            "sensors/webhook.yaml",
                            "sensors/special-workflow-trigger.yaml",
                            "sensors/calendar.yaml",
                            "sensors/multi-dependencies.yaml")) {
                server.api().apply(Files.readString(manifests.resolve(file)));
            }

            post(server, URI.create("http://127.12.2.2:12000/example"), "{\"a\":\"here\"}");

            // By the trigger that creates objects, and by the one for workflows.
            for (String name : List.of("webhook-", "special-trigger")) {
                JsonNode workflow = started(server.api(), name);
                assertThat(ApiClient.phase(workflow)).as("%s", workflow).isEqualTo("Succeeded");
                assertThat(server.api().log(ApiClient.name(workflow)))
                        .containsExactly("{\"a\":\"here\"}");
            }
            JsonNode ticked = started(server.api(), "calendar-workflow-");
            assertThat(ApiClient.phase(ticked)).as("%s", ticked).isEqualTo("Succeeded");

            // The joined one's template does not get its input: it is refused, and that is not
            // lost.
            Await.until(
                    "the trigger that waited for both gave up with the reason",
                    PATIENCE,
                    () ->
                            server.api()
                                    .get("/api/v1/millrace/dead-letters")
                                    .body()
                                    .contains("inputs.parameters.message was not supplied"));

            // The entry is at the API's port too; its second event is a second workflow, but the
            // named one exists.
            server.api().post("/webhooks/default/webhook/example", "application/json", "[1]").ok();
            Await.until(
                    "the second event starts its workflow",
                    () -> named(server.api(), "webhook-").size() == 2);
            assertThat(named(server.api(), "special-trigger")).hasSize(1);
        }
    }

    /** A source listens soon after it was applied, not at once. */
    private static void post(TestServer server, URI address, String json) {
        Await.until(
                "a post to " + address + " is taken",
                () -> server.api().webhook(address, json).status() == 200);
    }

    private static List<JsonNode> named(ApiClient api, String prefix) {
        return api.workflows().stream().filter(w -> ApiClient.name(w).startsWith(prefix)).toList();
    }

    private static JsonNode started(ApiClient api, String prefix) {
        JsonNode first =
                Await.value(
                        "a workflow " + prefix + " was started",
                        PATIENCE,
                        () -> named(api, prefix).stream().findFirst());
        return api.finished(ApiClient.name(first), PATIENCE);
    }

    private static List<JsonNode> whatBecameOfEvents(ApiClient api) {
        return api.get("/api/v1/millrace/events").ok().json().path("items").valueStream().toList();
    }
}
