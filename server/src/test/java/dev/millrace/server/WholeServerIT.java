package dev.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.log.embedded.DataFolderInUseException;
import dev.millrace.server.Client.Answer;
import dev.millrace.server.api.PortInUseException;
import dev.millrace.server.configuration.Configuration;
import dev.millrace.server.configuration.ConfigurationException;
import dev.millrace.server.readmodel.ReadModel;
import dev.millrace.testkit.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class WholeServerIT {

    private static final String WORKFLOW =
            """
            {"workflow":{"metadata":{"generateName":"w-"},"spec":{"entrypoint":"main","templates":[
              {"name":"main","steps":[[{"name":"a","template":"say"},{"name":"b","template":"say"}]]},
              {"name":"say","container":{"image":"alpine","command":["echo","said"]}}]}}}""";

    @TempDir Path folder;

    @Test
    void theReadModelMadeAnewEqualsTheOldOne() {
        Configuration configuration = configuration(Map.of());
        String kept;
        try (MillraceServer server = start(configuration);
                Client client = new Client(server.apiAddress())) {
            kept = finished(client, run(client, "argo"));
            String deleted = finished(client, run(client, "argo"));
            assertThat(client.delete("/api/v1/workflows/argo/" + deleted).status()).isEqualTo(200);
            client.yaml("/api/v1/manifests", sources());
            webhook(client, server);
            Await.until("the event was decided", () -> !events(client).isEmpty());
            // A model that is closed while something happens ends somewhere in the middle.
            awaitWorkflowOfEvent(client);
        }
        List<String> before = dump();
        Path file = ReadModelRebuild.run(configuration);
        assertThat(file).isNotEmptyFile();
        assertThat(dump())
                .isEqualTo(before)
                .anyMatch(row -> row.startsWith("nodes "))
                .anyMatch(row -> row.startsWith("events "));
        try (MillraceServer server = start(configuration);
                Client client = new Client(server.apiAddress())) {
            JsonNode again = client.get("/api/v1/workflows/argo/" + kept).body();
            assertThat(again.path("status").path("phase").asString("")).isEqualTo("Succeeded");
            finished(client, run(client, "argo"));
        }
    }

    private static void awaitWorkflowOfEvent(Client client) {
        Await.until(
                "a workflow has run",
                () ->
                        client.get("/api/v1/workflows/default")
                                .body()
                                .path("items")
                                .path(0)
                                .path("status")
                                .path("phase")
                                .asString("")
                                .equals("Succeeded"));
    }

    @Test
    void aWebhookStartsAWorkflowAndItsEventTellsWhatBecameOfIt() {
        try (MillraceServer server = start(configuration(Map.of()));
                Client client = new Client(server.apiAddress())) {
            Answer applied = client.yaml("/api/v1/manifests", sources());
            assertThat(applied.status()).as(applied.body().toString()).isEqualTo(200);
            webhook(client, server);
            awaitWorkflowOfEvent(client);
            JsonNode workflow =
                    client.get("/api/v1/workflows/default").body().path("items").path(0);
            assertThat(
                            workflow.path("spec")
                                    .path("arguments")
                                    .path("parameters")
                                    .path(0)
                                    .path("value")
                                    .asString(""))
                    .isEqualTo("hi");
            String id = events(client).getFirst().path("id").asString("");
            Await.until(
                    "its story is whole",
                    () ->
                            client.get("/api/v1/millrace/events/" + id)
                                            .body()
                                            .path("activations")
                                            .path(0)
                                            .path("workflows")
                                            .size()
                                    == 1);
            JsonNode event = client.get("/api/v1/millrace/events/" + id).body();
            assertThat(event.path("data").asString("")).contains("hi");
            Await.until(
                    "the dispatch is decided",
                    () ->
                            client.get("/api/v1/millrace/events/" + id)
                                    .body()
                                    .path("decisions")
                                    .valueStream()
                                    .anyMatch(
                                            d ->
                                                    d.path("outcome")
                                                            .asString("")
                                                            .equals("dispatched")));
            assertThat(
                            event.path("decisions")
                                    .valueStream()
                                    .map(d -> d.path("outcome").asString("")))
                    .contains("fired");
            assertThat(event.path("activations").path(0).path("workflows").path(0).asString(""))
                    .startsWith("default/from-event-");
            JsonNode source = client.get("/api/v1/event-sources/default/hook").body();
            assertThat(source.path("status").path("conditions").size()).isPositive();
            assertThat(client.get("/api/v1/sensors/").body().path("items").size()).isEqualTo(1);
            assertThat(
                            client.get("/api/v1/sensors/default/hook")
                                    .body()
                                    .path("status")
                                    .path("conditions")
                                    .size())
                    .isPositive();
        }
    }

    @Test
    void beyondLoopbackNobodyComesInWithoutTheToken() throws Exception {
        try (MillraceServer server = start(configuration(Map.of("bind", "0.0.0.0")));
                Client client =
                        new Client(
                                java.net.URI.create(
                                        "http://127.0.0.1:" + server.apiAddress().getPort()))) {
            Path file = folder.resolve("data").resolve("token");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
            String token = Files.readString(file).strip();
            assertThat(token).hasSize(64);
            Answer refused = client.get("/api/v1/workflows/");
            assertThat(refused.status()).isEqualTo(401);
            assertThat(refused.body().path("message").asString("")).contains("'token'");
            assertThat(
                            client.send(
                                            "GET",
                                            "/api/v1/workflows/",
                                            null,
                                            null,
                                            "Authorization",
                                            "Bearer wrong")
                                    .status())
                    .isEqualTo(401);
            assertThat(
                            client.send(
                                            "GET",
                                            "/api/v1/workflows/",
                                            null,
                                            null,
                                            "Authorization",
                                            "Bearer " + token)
                                    .status())
                    .isEqualTo(200);
            assertThat(client.send("GET", "/metrics", null, null).status()).isEqualTo(401);
            assertThat(client.get("/healthz").status()).isEqualTo(200);
        }
    }

    @Test
    void aNearlyFullDiskRefusesWhatIsNewAndStillReads() {
        try (MillraceServer server = start(configuration(Map.of("minimumFreeDisk", "900000Gi")));
                Client client = new Client(server.apiAddress())) {
            Answer refused = client.post("/api/v1/workflows/argo", WORKFLOW);
            assertThat(refused.status()).isEqualTo(507);
            assertThat(refused.body().path("message").asString("")).contains("Free some space");
            assertThat(client.get("/api/v1/workflows/argo").status()).isEqualTo(200);
            assertThat(client.post("/api/v1/workflows/argo/lint", WORKFLOW).status())
                    .isEqualTo(200);
        }
    }

    @Test
    void aTakenPortAndATakenFolderAreNamedWithTheCure() throws Exception {
        try (ServerSocket taken =
                new ServerSocket(0, 1, java.net.InetAddress.getLoopbackAddress())) {
            Configuration configuration =
                    configuration(Map.of("port", Integer.toString(taken.getLocalPort())));
            assertThatThrownBy(() -> start(configuration))
                    .isInstanceOf(PortInUseException.class)
                    .hasMessageContaining(Integer.toString(taken.getLocalPort()))
                    .hasMessageContaining("--port");
        }
        // What had been started by then is stopped: the folder can be had again.
        try (MillraceServer server = start(configuration(Map.of()))) {
            assertThat(server.readiness().components()).isNotEmpty();
            assertThatThrownBy(() -> start(configuration(Map.of())))
                    .isInstanceOf(DataFolderInUseException.class)
                    .hasMessageContaining("--data");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "bind, nosuch.invalid, there is no host 'nosuch.invalid'",
        "bind, 192.0.2.1, 192.0.2.1 is no address of this machine",
        "webhookBind, 192.0.2.1, 192.0.2.1 is no address of this machine"
    })
    void anAddressThatIsNotOfThisMachineIsNamedBeforeAnythingStarts(
            String setting, String address, String message) {
        assertThatThrownBy(() -> start(configuration(Map.of(setting, address))))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(message);
        assertThat(folder.resolve("data")).doesNotExist();
    }

    @Test
    void valuesOfSecretsStandInNoTopic() throws Exception {
        String value = "correct-horse-battery-staple";
        try (MillraceServer server = start(configuration(Map.of()));
                Client client = new Client(server.apiAddress())) {
            client.yaml(
                    "/api/v1/manifests",
                    "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {password: "
                            + value
                            + "}\n");
            client.yaml("/api/v1/manifests", sources());
            finished(client, run(client, "argo"));
        }
        try (Stream<Path> files = Files.walk(folder.resolve("data"))) {
            List<Path> holders =
                    files.filter(Files::isRegularFile).filter(file -> holds(file, value)).toList();
            assertThat(holders).containsExactly(folder.resolve("data/secrets/default/s/password"));
        }
    }

    @Test
    void aStepThatPrintsItsSecretDoesNotTellItToAnybody() throws Exception {
        String value = "correct-horse-battery-staple";
        try (MillraceServer server = start(configuration(Map.of()));
                Client client = new Client(server.apiAddress())) {
            client.yaml(
                    "/api/v1/manifests",
                    "apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: argo}\nstringData: {password: "
                            + value
                            + "}\n");
            Answer started =
                    client.post(
                            "/api/v1/workflows/argo",
                            """
                            {"workflow": {"metadata": {"name": "telltale"}, "spec": {"entrypoint": "main", "templates": [
                              {"name": "main", "steps": [[{"name": "a", "template": "say"}],
                                [{"name": "b", "template": "hear", "arguments": {"parameters": [
                                  {"name": "heard", "value": "{{steps.a.outputs.result}}"}]}}]]},
                              {"name": "say", "container": {"image": "alpine", "command": ["sh", "-c", "echo it is $P"],
                                "env": [{"name": "P", "valueFrom": {"secretKeyRef": {"name": "s", "key": "password"}}}]}},
                              {"name": "hear", "inputs": {"parameters": [{"name": "heard"}]},
                                "container": {"image": "alpine", "command": ["echo", "{{inputs.parameters.heard}}"]}}]}}}""");
            assertThat(started.status()).as(started.body().toString()).isEqualTo(200);
            finished(client, "telltale");
            String shown = client.get("/api/v1/workflows/argo/telltale").body().toString();
            String logs = client.text("/api/v1/workflows/argo/telltale/log");
            assertThat(logs).contains("it is ").doesNotContain(value);
            assertThat(shown).doesNotContain(value);
        }
        Path steps = folder.resolve("data/steps");
        try (Stream<Path> files = Files.walk(folder.resolve("data"))) {
            // A step's own folder, which only the owner may read, has what the step wrote.
            assertThat(
                            files.filter(Files::isRegularFile)
                                    .filter(file -> !file.startsWith(steps))
                                    .filter(file -> holds(file, value)))
                    .containsExactly(folder.resolve("data/secrets/argo/s/password"));
        }
    }

    private static boolean holds(Path file, String text) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String sources() {
        return """
        apiVersion: argoproj.io/v1alpha1
        kind: EventSource
        metadata: {name: hook}
        spec:
          webhook:
            push: {port: "0", endpoint: /push, method: POST}
        ---
        apiVersion: argoproj.io/v1alpha1
        kind: Sensor
        metadata: {name: hook}
        spec:
          dependencies:
            - {name: push, eventSourceName: hook, eventName: push}
          triggers:
            - template:
                name: run
                argoWorkflow:
                  operation: submit
                  source:
                    resource:
                      apiVersion: argoproj.io/v1alpha1
                      kind: Workflow
                      metadata: {generateName: from-event-}
                      spec:
                        entrypoint: main
                        arguments: {parameters: [{name: word, value: none}]}
                        templates:
                          - name: main
                            container: {image: alpine, command: [echo, "{{workflow.parameters.word}}"]}
                  parameters:
                    - {src: {dependencyName: push, dataKey: body.word}, dest: spec.arguments.parameters.0.value}
        """
                .replace("\"0\"", "\"" + freePort() + "\"");
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void webhook(Client client, MillraceServer server) {
        Await.until(
                "the webhook answers at the API's port",
                () ->
                        client.post("/webhooks/default/hook/push", "{\"word\":\"hi\"}").status()
                                == 200);
        assertThat(server.readiness().components()).containsKey("dispatcher");
    }

    private static List<JsonNode> events(Client client) {
        return client.get("/api/v1/millrace/events").body().path("items").valueStream().toList();
    }

    private Configuration configuration(Map<String, String> flags) {
        Map<String, String> all =
                new HashMap<>(Map.of("port", "0", "minimumFreeDisk", "1Mi", "isolation", "none"));
        all.putAll(flags);
        return Configuration.load(folder.resolve("data"), null, all);
    }

    private static MillraceServer start(Configuration configuration) {
        return MillraceServer.start(configuration, line -> {});
    }

    private static String run(Client client, String namespace) {
        Answer answer = client.post("/api/v1/workflows/" + namespace, WORKFLOW);
        assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
        return answer.body().path("metadata").path("name").asString("");
    }

    private static String finished(Client client, String name) {
        String path = "/api/v1/workflows/argo/" + name;
        Await.until(
                name + " finishes", () -> client.get(path).body().path("status").has("finishedAt"));
        return name;
    }

    /**
     * Rows, without the positions: reading anew may end behind the marks of transactions, or before
     * them.
     */
    private List<String> dump() {
        Path file = folder.resolve("data").resolve("read-model.db");
        try (ReadModel model = ReadModel.openExisting(file)) {
            return model.dump().stream().filter(row -> !row.startsWith("positions ")).toList();
        }
    }
}
