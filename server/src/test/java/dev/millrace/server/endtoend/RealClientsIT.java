package dev.millrace.server.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.Json;
import dev.millrace.testkit.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What curl, a page in somebody's browser, a monitoring system and a follower of streams get. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class RealClientsIT {
    private static final String WORKFLOWS = "/api/v1/workflows/default";
    private static final String WORKFLOW =
            """
            {"workflow": {"metadata": {"generateName": "%s-"}, "spec": {"entrypoint": "main", "templates": [
                {"name": "main", "container": {"image": "alpine", "command": ["sh", "-c"], "args": ["%s"]}}]}}}
            """;

    @TempDir static Path data;
    private static TestServer server;

    @BeforeAll
    @Timeout(value = 2, unit = TimeUnit.MINUTES)
    static void start() {
        server = TestServer.start(data, "127.12.5.1");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void aPageInABrowserCannotSubmit() throws IOException, InterruptedException {
        String body = WORKFLOW.formatted("page", "echo from a page");
        String json = "Content-Type: application/json";

        assertThat(curl("-H", "Origin: https://evil.example", "-H", json, "-d", body, WORKFLOWS))
                .isEqualTo("403");
        assertThat(curl("-H", "Origin: null", "-H", json, "-d", body, WORKFLOWS)).isEqualTo("403");
        assertThat(curl("-H", "Content-Type: text/plain", "-d", body, WORKFLOWS)).isEqualTo("415");
        assertThat(
                        curl(
                                "-H",
                                "Content-Type: application/x-www-form-urlencoded",
                                "-d",
                                body,
                                WORKFLOWS))
                .isEqualTo("415");
        assertThat(curl("-H", "Host: evil.example", "-H", json, "-d", body, WORKFLOWS))
                .isEqualTo("403");
        assertThat(curl("-H", "Host: evil.example", WORKFLOWS))
                .as("reading is refused too")
                .isEqualTo("403");
        assertThat(server.api().workflows())
                .extracting(ApiClient::name)
                .noneMatch(n -> n.startsWith("page-"));

        assertThat(curl("-H", json, "-d", body, WORKFLOWS))
                .as("the same from a shell")
                .isEqualTo("200");
    }

    @Test
    void probesAndMetricsAnswer() {
        assertThat(server.api().get("/healthz").status()).isEqualTo(200);
        Await.until("ready", () -> server.api().get("/readyz").status() == 200);
        assertThat(server.api().get("/metrics").ok().body())
                .contains("# TYPE ")
                .contains("millrace_");
        assertThat(server.api().get("/api/v1/version").ok().json().path("version").asString())
                .startsWith("v");
    }

    @Test
    void theLogOfARunningWorkflowComesAsItIsWritten() {
        String name = submit("echo first; sleep 3; echo last");
        List<String> lines = new CopyOnWriteArrayList<>();
        List<Boolean> runningAtFirst = new ArrayList<>();
        try (Stream<String> stream =
                server.api().stream(
                        WORKFLOWS + "/" + name + "/log?logOptions.follow=true",
                        "application/json")) {
            stream.filter(line -> !line.isBlank())
                    .map(
                            line ->
                                    Json.mapper()
                                            .readTree(line)
                                            .path("result")
                                            .path("content")
                                            .asString(""))
                    .forEach(
                            line -> {
                                if (lines.isEmpty()) {
                                    runningAtFirst.add(
                                            ApiClient.phase(server.api().workflow(name))
                                                    .equals("Running"));
                                }
                                lines.add(line);
                            });
        }
        assertThat(lines).containsExactly("first", "last");
        assertThat(runningAtFirst).containsExactly(true);
        server.api().finished(name, Duration.ofSeconds(60));
        assertThat(server.api().log(name))
                .as("the log of the finished one")
                .containsExactly("first", "last");
    }

    @Test
    void aWatchSeesAWorkflowComeAndChange() {
        List<String> seen = new ArrayList<>();
        String name = submit("echo watched; sleep 1");
        String query = "?listOptions.fieldSelector=metadata.name=" + name;
        try (Stream<String> stream =
                server.api().stream(
                        "/api/v1/workflow-events/default" + query, "text/event-stream")) {
            var events = stream.filter(line -> line.startsWith("data:")).iterator();
            while (!seen.contains("MODIFIED Succeeded") && !seen.contains("ADDED Succeeded")) {
                JsonNode event =
                        Json.mapper()
                                .readTree(events.next().substring("data:".length()))
                                .path("result");
                assertThat(ApiClient.name(event.path("object"))).isEqualTo(name);
                seen.add(
                        event.path("type").asString()
                                + " "
                                + ApiClient.phase(event.path("object")));
            }
        }
        assertThat(seen.getFirst()).startsWith("ADDED ");
        assertThat(seen.subList(1, seen.size()))
                .isNotEmpty()
                .allMatch(s -> s.startsWith("MODIFIED "));
    }

    @Test
    void aNearlyFullDiskTakesNothingNewAndSaysTheCure(@TempDir Path other) {
        try (TestServer full =
                TestServer.start(other, "127.12.5.2", Map.of("minimumFreeDisk", "1000000Gi"))) {
            ApiClient.Answer answer =
                    full.api()
                            .post(
                                    WORKFLOWS,
                                    "application/json",
                                    WORKFLOW.formatted("full", "echo no room"));

            assertThat(answer.status()).isEqualTo(507);
            assertThat(answer.json().path("message").asString()).contains("minimumFreeDisk");
            assertThat(full.api().workflows()).as("reading goes on").isEmpty();
        }
    }

    private static String submit(String command) {
        return server.api()
                .post(WORKFLOWS, "application/json", WORKFLOW.formatted("echo", command))
                .ok()
                .json()
                .path("metadata")
                .path("name")
                .asString();
    }

    /** The status that curl gets. */
    private static String curl(String... arguments) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of("curl", "-s", "-o", "/dev/null", "-w", "%{http_code}"));
        command.addAll(List.of(arguments).subList(0, arguments.length - 1));
        command.add(server.api().address().resolve(arguments[arguments.length - 1]).toString());
        Process process;
        try {
            process = new ProcessBuilder(command).start();
        } catch (IOException e) {
            return Assumptions.abort("skipped: curl is absent (" + e.getMessage() + ")");
        }
        String status =
                new String(
                        process.getInputStream().readAllBytes(),
                        java.nio.charset.StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        return status;
    }
}
