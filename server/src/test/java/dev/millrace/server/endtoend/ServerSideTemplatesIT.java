package dev.millrace.server.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.millrace.schemas.Json;
import dev.millrace.testkit.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Workflows with plugin and data templates. */
@Timeout(120)
final class ServerSideTemplatesIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir static Path data;
    private static TestServer server;
    private static HttpServer plugin;
    private static final ExecutorService THREADS = Executors.newVirtualThreadPerTaskExecutor();
    private static final Map<String, Integer> ASKED = new ConcurrentHashMap<>();
    private static final List<String> TOKENS = new CopyOnWriteArrayList<>();
    private static final Map<String, Boolean> OPEN = new ConcurrentHashMap<>();

    @BeforeAll
    static void start() throws IOException {
        plugin = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        plugin.setExecutor(THREADS);
        plugin.createContext("/api/v1/template.execute", ServerSideTemplatesIT::answer);
        plugin.start();
        Files.writeString(
                data.resolve("millrace.yaml"),
                "executorPlugins: {hello: {url: 'http://127.0.0.1:%d', tokenSecret: {name: hello, key: token}}}\n"
                        .formatted(plugin.getAddress().getPort()));
        server = TestServer.start(data, "127.12.1.31");
        server.api()
                .apply(
                        """
                        apiVersion: v1
                        kind: Secret
                        metadata: {name: hello}
                        stringData: {token: "s3cret-value"}
                        """);
    }

    @AfterAll
    static void stop() {
        server.close();
        plugin.stop(0);
        THREADS.shutdownNow();
    }

    /** Says that it waits until it is opened, and tells its token. */
    private static void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            TOKENS.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
            JsonNode template =
                    Json.mapper()
                            .readTree(exchange.getRequestBody().readAllBytes())
                            .path("template");
            String gate = template.path("plugin").path("hello").path("gate").asString("");
            ASKED.merge(gate, 1, Integer::sum);
            String answer =
                    OPEN.getOrDefault(gate, false)
                            ? """
                              {"node": {"phase": "Succeeded", "message": "open", "outputs": {
                                "parameters": [{"name": "said", "value": "hi s3cret-value"}]}}}
                              """
                            : """
                              {"node": {"phase": "Running", "message": "waiting for s3cret-value"}, "requeue": "200ms"}
                              """;
            byte[] body = answer.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private static String workflow(String templates) {
        return """
               {"metadata": {"generateName": "own-"}, "spec": {"entrypoint": "main", "templates": [%s]}}
               """
                .formatted(templates);
    }

    @Test
    void aPluginIsAskedUntilItIsDoneAndItsOutputsGoOn() {
        String name =
                server.api()
                        .submit(
                                Json.mapper()
                                        .readTree(
                                                workflow(
                                                        """
                                                        {"name": "main", "steps": [
                                                          [{"name": "ask", "template": "ask"}],
                                                          [{"name": "print", "template": "print", "arguments": {"parameters": [{"name": "p", "value": "{{steps.ask.outputs.parameters.said}}"}]}}]]},
                                                        {"name": "ask", "plugin": {"hello": {"gate": "one"}}, "outputs": {"parameters": [{"name": "said", "valueFrom": {"supplied": {}}}]}},
                                                        {"name": "print", "inputs": {"parameters": [{"name": "p"}]},
                                                          "container": {"image": "alpine", "command": ["echo"], "args": ["{{inputs.parameters.p}}"]}}
                                                        """)));
        Await.until(
                "the message of the running plugin",
                () -> {
                    JsonNode running = server.api().workflow(name);
                    return running.toString().contains("waiting for ***");
                });
        assertThat(ApiClient.node(server.api().workflow(name), "ask").path("type").asString())
                .isEqualTo("Plugin");
        OPEN.put("one", true);
        JsonNode made = server.api().finished(name, PATIENCE);
        assertThat(ApiClient.phase(made)).isEqualTo("Succeeded");
        assertThat(ApiClient.node(made, "ask").path("message").asString()).isEqualTo("open");
        assertThat(
                        ApiClient.node(made, "print")
                                .path("inputs")
                                .path("parameters")
                                .path(0)
                                .path("value")
                                .asString())
                .isEqualTo("hi ***");
        assertThat(ASKED.get("one")).isGreaterThanOrEqualTo(2);
        assertThat(TOKENS).containsOnly("Bearer s3cret-value");
        assertThat(made.toString()).doesNotContain("s3cret-value");
    }

    @Test
    void aPluginThatIsNotThereIsRefusedWithThoseThatAre() {
        ApiClient.Answer answer =
                server.api()
                        .post(
                                "/api/v1/workflows/default",
                                "application/json",
                                "{\"workflow\": "
                                        + workflow(
                                                "{\"name\": \"main\", \"plugin\": {\"other\": {}}}")
                                        + "}");
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body())
                .contains("spec.templates[0].plugin.other")
                .contains("there are hello (setting executorPlugins)");
    }

    @Test
    void aCronWorkflowWhosePluginIsNotThereIsRefusedBeforeItFires() {
        String cron =
                """
                {"apiVersion": "argoproj.io/v1alpha1", "kind": "CronWorkflow", "metadata": {"name": "%s", "namespace": "default"},
                 "spec": {"schedules": ["0 0 1 1 *"], "workflowSpec": {"entrypoint": "main", "templates": [{"name": "main", "plugin": {"%s": {}}}]}}}""";
        String wrong = cron.formatted("nobody", "other");
        for (String path : List.of("", "/lint")) {
            ApiClient.Answer answer =
                    server.api()
                            .post(
                                    "/api/v1/cron-workflows/default" + path,
                                    "application/json",
                                    "{\"cronWorkflow\": " + wrong + "}");
            assertThat(answer.status()).as(path).isEqualTo(400);
            assertThat(answer.body())
                    .contains("spec.workflowSpec.templates[0].plugin.other")
                    .contains("there are hello (setting executorPlugins)");
        }
        assertThat(server.api().post("/api/v1/manifests", "application/json", wrong).body())
                .contains("spec.workflowSpec.templates[0].plugin.other");
        assertThat(server.api().get("/api/v1/cron-workflows/default/nobody").status())
                .isEqualTo(404);
        assertThat(
                        server.api()
                                .post(
                                        "/api/v1/cron-workflows/default",
                                        "application/json",
                                        "{\"cronWorkflow\": "
                                                + cron.formatted("somebody", "hello")
                                                + "}")
                                .status())
                .isEqualTo(200);
        assertThat(server.api().get("/api/v1/info").body())
                .contains("\"executorPlugins\":[\"hello\"]");
    }

    @Test
    void whatWasStoredIsListedTransformedAndLoopedOver() {
        String name =
                server.api()
                        .submit(
                                Json.mapper()
                                        .readTree(
                                                workflow(
                                                        """
                                                        {"name": "main", "steps": [
                                                          [{"name": "make", "template": "make", "withItems": ["a.log", "b.txt", "c.log"], "arguments": {"parameters": [{"name": "p", "value": "{{item}}"}]}}],
                                                          [{"name": "list", "template": "list"}],
                                                          [{"name": "use", "template": "use", "withParam": "{{steps.list.outputs.result}}",
                                                            "arguments": {"artifacts": [{"name": "f", "local": {"key": "{{item}}"}}]}}]]},
                                                        {"name": "make", "inputs": {"parameters": [{"name": "p"}]},
                                                          "container": {"image": "alpine", "command": ["sh", "-c", "echo in {{inputs.parameters.p}} > /tmp/f"]},
                                                          "outputs": {"artifacts": [{"name": "f", "path": "/tmp/f", "archive": {"none": {}}, "local": {"key": "listed/{{inputs.parameters.p}}"}}]}},
                                                        {"name": "list", "data": {"source": {"artifactPaths": {"name": "p", "local": {"key": "listed"}}},
                                                          "transformation": [{"expression": "filter(data, {# endsWith '.log'})"}]}},
                                                        {"name": "use", "inputs": {"artifacts": [{"name": "f", "path": "/tmp/in"}]},
                                                          "container": {"image": "alpine", "command": ["grep", "log", "/tmp/in"]}}
                                                        """)));
        JsonNode made = server.api().finished(name, PATIENCE);
        assertThat(ApiClient.phase(made)).as(made.toString()).isEqualTo("Succeeded");
        JsonNode list = ApiClient.node(made, "list");
        assertThat(list.path("type").asString()).isEqualTo("Pod");
        assertThat(list.path("outputs").path("result").asString())
                .isEqualTo("[\"listed/a.log\",\"listed/c.log\"]");
        assertThat(list.path("outputs").path("exitCode").asString()).isEqualTo("0");
        ApiClient.node(made, "use(1:listed/c.log)");
        // A listing has no log; who follows those of all steps is not left to wait for one.
        try (Stream<String> lines =
                server.api().stream(
                        "/api/v1/workflows/default/"
                                + name
                                + "/log?logOptions.container=main&logOptions.follow=true",
                        "application/json")) {
            assertThat(lines.filter(line -> !line.isBlank())).hasSize(2);
        }
    }
}
