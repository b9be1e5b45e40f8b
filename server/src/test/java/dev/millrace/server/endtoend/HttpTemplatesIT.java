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
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Workflows whose steps are calls. */
@Timeout(120)
final class HttpTemplatesIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir static Path data;
    private static TestServer server;
    private static HttpServer web;
    private static final ExecutorService THREADS = Executors.newVirtualThreadPerTaskExecutor();
    private static final Map<String, Integer> CALLS = new ConcurrentHashMap<>();
    private static final List<String> TOKENS = new CopyOnWriteArrayList<>();
    private static final CountDownLatch STOPPED = new CountDownLatch(1);

    @BeforeAll
    static void start() throws IOException {
        web = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        web.setExecutor(THREADS);
        web.createContext("/", HttpTemplatesIT::answer);
        web.start();
        server = TestServer.start(data, "127.12.1.17");
        server.api()
                .apply(
                        """
                        apiVersion: v1
                        kind: Secret
                        metadata: {name: api}
                        stringData: {token: "s3cret-value"}
                        """);
    }

    @AfterAll
    static void stop() {
        STOPPED.countDown();
        server.close();
        web.stop(0);
        THREADS.shutdownNow();
    }

    private static void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().toString();
            int calls = CALLS.merge(path, 1, Integer::sum);
            if (path.equals("/hold")) {
                STOPPED.await();
            } else if (path.equals("/second-time") && calls == 1) {
                send(exchange, 503, "busy");
            } else if (path.equals("/who")) {
                String token = exchange.getRequestHeaders().getFirst("Authorization");
                TOKENS.add(String.valueOf(token));
                send(exchange, 200, "you said " + token);
            } else {
                send(exchange, 200, "{\"asked\": \"" + path + "\"}");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void send(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }

    /** A workflow of these templates; {@code $} stands for the address of the web. */
    private static String submit(String templates) {
        String text =
                """
                {"metadata": {"generateName": "calls-"}, "spec": {"entrypoint": "main", "templates": [%s]}}
                """
                        .formatted(templates)
                        .replace("$", "http://127.0.0.1:" + web.getAddress().getPort());
        return server.api().submit(Json.mapper().readTree(text));
    }

    private static JsonNode run(String templates) {
        return server.api().finished(submit(templates), PATIENCE);
    }

    @Test
    void resultsOfCallsGoOnToOtherStepsAndLoopsGatherThem() {
        JsonNode made =
                run(
                        """
                        {"name": "main", "steps": [
                          [{"name": "call", "template": "call", "withItems": ["a", "b"], "arguments": {"parameters": [{"name": "p", "value": "{{item}}"}]}}],
                          [{"name": "print", "template": "print", "arguments": {"parameters": [{"name": "all", "value": "{{steps.call.outputs.result}}"}]}}]]},
                        {"name": "call", "inputs": {"parameters": [{"name": "p"}]}, "http": {"url": "$/{{inputs.parameters.p}}",
                          "successCondition": "response.body contains '{{inputs.parameters.p}}'"}},
                        {"name": "print", "inputs": {"parameters": [{"name": "all"}]},
                          "container": {"image": "alpine", "command": ["echo"], "args": ["{{inputs.parameters.all}}"]}}
                        """);
        assertThat(ApiClient.phase(made)).isEqualTo("Succeeded");
        JsonNode call = ApiClient.node(made, "call(0:a)");
        assertThat(call.path("type").asString()).isEqualTo("HTTP");
        assertThat(call.path("outputs").path("result").asString()).isEqualTo("{\"asked\": \"/a\"}");
        assertThat(call.path("progress").asString()).isEqualTo("1/1");
        String name = ApiClient.name(made);
        // Only programs have logs; who follows them is not left to wait for those of calls.
        try (Stream<String> lines =
                server.api().stream(
                        "/api/v1/workflows/default/"
                                + name
                                + "/log?logOptions.container=main&logOptions.follow=true",
                        "application/json")) {
            assertThat(lines.filter(line -> !line.isBlank()))
                    .singleElement()
                    .asString()
                    .contains("/a")
                    .contains("/b");
        }
    }

    @Test
    void aCallThatFailsIsRetried() {
        JsonNode made =
                run(
                        """
                        {"name": "main", "retryStrategy": {"limit": 3}, "http": {"url": "$/second-time"}}
                        """);
        assertThat(ApiClient.phase(made)).isEqualTo("Succeeded");
        assertThat(CALLS).containsEntry("/second-time", 2);
        String name = ApiClient.name(made);
        JsonNode first = ApiClient.node(made, name + "(0)");
        assertThat(first.path("message").asString())
                .isEqualTo("received non-2xx response code: 503");
        assertThat(first.path("outputs").path("result").asString()).isEqualTo("busy");
    }

    @Test
    void aSecretIsSentButStandsNowhere() {
        JsonNode made =
                run(
                        """
                        {"name": "main", "http": {"url": "$/who", "headers": [
                          {"name": "Authorization", "valueFrom": {"secretKeyRef": {"name": "api", "key": "token"}}}]}}
                        """);
        assertThat(TOKENS).contains("s3cret-value");
        assertThat(made.toString()).contains("you said ***").doesNotContain("s3cret-value");
    }

    @Test
    void aStopEndsACallUnderWay() {
        String name = submit("{\"name\": \"main\", \"http\": {\"url\": \"$/hold\"}}");
        Await.until("the call", () -> CALLS.containsKey("/hold"));
        server.api().put("/api/v1/workflows/default/" + name + "/terminate", "{}").ok();
        JsonNode made = server.api().finished(name, PATIENCE);
        assertThat(ApiClient.phase(made)).isEqualTo("Failed");
    }

    @Test
    void aMemberThatIsNotThereIsRefusedWithItsPlace() {
        ApiClient.Answer answer =
                server.api()
                        .post(
                                "/api/v1/workflows/default",
                                "application/json",
                                """
                                {"workflow": {"metadata": {"generateName": "x-"}, "spec": {"entrypoint": "main",
                                  "templates": [{"name": "main", "http": {"url": "http://x", "header": []}}]}}}
                                """);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body()).contains("spec.templates[0].http.header");
    }
}
