package dev.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.configuration.Configuration;
import dev.millrace.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Ended workflows go: by their own time, and those beyond the number that is kept. */
class RetentionIT {

    private static final String WORKFLOW =
            """
            {"workflow":{"metadata":{"name":"%s"},"spec":{"entrypoint":"main",%s
              "templates":[{"name":"main","suspend":{"duration":"0"}}]}}}""";

    @TempDir Path data;

    private MillraceServer start(String settings) throws IOException {
        Files.writeString(data.resolve("millrace.yaml"), settings);
        return MillraceServer.start(
                Configuration.load(data, null, Map.of("port", "0", "minimumFreeDisk", "1Mi")),
                _ -> {});
    }

    private static void submit(Client client, String name, String more) {
        Client.Answer answer =
                client.post("/api/v1/workflows/argo", WORKFLOW.formatted(name, more));
        assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
    }

    private static List<String> names(Client client) {
        JsonNode items = client.get("/api/v1/workflows/argo").body().path("items");
        return StreamSupport.stream(items.spliterator(), false)
                .map(w -> w.path("metadata").path("name").asString(""))
                .sorted()
                .toList();
    }

    private static void ended(Client client, String name) {
        Await.until(
                name + " has ended",
                () ->
                        client.get("/api/v1/workflows/argo/" + name)
                                .body()
                                .path("status")
                                .path("phase")
                                .asString("")
                                .equals("Succeeded"));
    }

    @Test
    void onlyTheNewestAreKeptAlsoWhenTheNumberIsSetLater() throws Exception {
        try (MillraceServer server = start("workflowDefaults: {metadata: {labels: {team: a}}}");
                Client client = new Client(server.apiAddress())) {
            for (int i = 1; i <= 4; i++) {
                submit(client, "w-" + i, "");
                ended(client, "w-" + i);
            }
            submit(client, "running", "\"suspend\":true,");
            assertThat(
                            client.get("/api/v1/workflows/argo/w-1")
                                    .body()
                                    .at("/metadata/labels/team")
                                    .asString(""))
                    .isEqualTo("a");
        }
        try (MillraceServer server = start("retentionPolicy: {completed: 2}");
                Client client = new Client(server.apiAddress())) {
            Await.until(
                    "the two oldest are gone",
                    () -> names(client).equals(List.of("running", "w-3", "w-4")));
            submit(client, "w-5", "");
            Await.until(
                    "the next one is gone",
                    () -> names(client).equals(List.of("running", "w-4", "w-5")));
        }
    }

    @Test
    void aWorkflowGoesAfterTheTimeOfTheDefaultsUnlessItHasItsOwn() throws Exception {
        String hour = "workflowDefaults: {spec: {ttlStrategy: {secondsAfterCompletion: 3600}}}";
        String now = "workflowDefaults: {spec: {ttlStrategy: {secondsAfterCompletion: 0}}}";
        try (MillraceServer server = start(hour);
                Client client = new Client(server.apiAddress())) {
            submit(client, "by-default", "");
            submit(client, "own", "\"ttlStrategy\":{\"secondsAfterCompletion\":0},");
            Await.until(
                    "the one with its own time is gone",
                    () -> names(client).equals(List.of("by-default")));
            ended(client, "by-default");
            assertThat(
                            client.get("/api/v1/workflows/argo/by-default")
                                    .body()
                                    .at("/spec/ttlStrategy/secondsAfterCompletion")
                                    .asInt())
                    .isEqualTo(3600);
        }
        try (MillraceServer server = start(now);
                Client client = new Client(server.apiAddress())) {
            Client.Answer template =
                    client.post(
                            "/api/v1/workflow-templates/argo",
                            """
                            {"template":{"metadata":{"name":"slow"},"spec":{"entrypoint":"main",
                              "ttlStrategy":{"secondsAfterCompletion":3600},
                              "templates":[{"name":"main","suspend":{"duration":"0"}}]}}}""");
            assertThat(template.status()).as(template.body().toString()).isEqualTo(200);
            Client.Answer referring =
                    client.post(
                            "/api/v1/workflows/argo",
                            """
                            {"workflow":{"metadata":{"name":"referring"},
                              "spec":{"workflowTemplateRef":{"name":"slow"}}}}""");
            assertThat(referring.status()).as(referring.body().toString()).isEqualTo(200);
            submit(client, "soon", "");
            Await.until(
                    "only those with more time are left",
                    () -> names(client).equals(List.of("by-default", "referring")));
            ended(client, "referring");
        }
    }
}
