package dev.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.Client.Answer;
import dev.millrace.server.configuration.Configuration;
import dev.millrace.testkit.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The past of workflows, read from a real log. */
class WorkflowHistoryIT {

    private static final String ALL = "/api/v1/workflows/past";
    private static final String PAST = "/api/v1/millrace/workflows/past/";

    private static MillraceServer server;
    private static Client client;
    @TempDir static Path folder;

    @BeforeAll
    static void start() throws Exception {
        Path definitions = Files.createDirectories(folder.resolve("definitions"));
        server =
                MillraceServer.start(
                        Configuration.load(
                                folder.resolve("data"),
                                definitions,
                                Map.of("port", "0", "minimumFreeDisk", "1Mi")),
                        _ -> {});
        client = new Client(server.apiAddress());
    }

    @AfterAll
    static void stop() {
        if (client != null) {
            client.close();
            server.close();
        }
    }

    @Test
    void theLastTransitionShowsWhatStandsNowAndEachEarlierOneLess() {
        gate("whole", "a");
        resume("whole");
        JsonNode transitions = history("whole");
        int count = transitions.size();
        assertThat(count).isGreaterThan(1);
        assertThat(bare(at("whole", count))).isEqualTo(bare(now("whole")));
        List<String> phases = new ArrayList<>();
        for (int n = 1; n <= count; n++) {
            JsonNode then = at("whole", n);
            phases.add(then.path("status").path("phase").asString(""));
            assertThat(
                            then.path("metadata")
                                    .path("annotations")
                                    .path("millrace.dev/at-transition")
                                    .asString(""))
                    .isEqualTo(Integer.toString(n));
        }
        assertThat(phases).startsWith("Running").endsWith("Succeeded").isSorted();
        Instant last = Instant.parse(transitions.get(count - 1).path("time").asString(""));
        assertThat(bare(client.get(PAST + "whole?at=" + last).body()))
                .isEqualTo(bare(now("whole")));
        assertThat(
                        client.get(PAST + "whole?at=" + last.minusMillis(1))
                                .body()
                                .path("status")
                                .path("phase")
                                .asString(""))
                .isEqualTo("Running");
        assertThat(client.get(PAST + "@latest?at=1").status()).isEqualTo(200);
    }

    @Test
    void whatIsOutOfRangeIsRefusedWithTheRangeThatThereIs() {
        gate("range", "a");
        int count = history("range").size();
        for (String at : List.of("0", "99", "2020-01-01T00:00:00Z", "2999-01-01T00:00:00Z")) {
            Answer answer = client.get(PAST + "range?at=" + at);
            assertThat(answer.status()).as(at).isEqualTo(400);
            assertThat(answer.body().path("message").asString(""))
                    .startsWith(
                            "at=%s: workflow range has %d transitions, from 20"
                                    .formatted(at, count));
        }
        assertThat(client.get(PAST + "range?at=later").body().path("message").asString(""))
                .contains("the number of a transition");
        assertThat(client.get(PAST + "nowhere?at=1").status()).isEqualTo(404);
        assertThat(client.get(PAST + "nowhere/history").status()).isEqualTo(404);
    }

    @Test
    void aNameThatLivesAgainShowsItsLatestLifeOnly() {
        gate("again", "before");
        assertThat(client.delete(ALL + "/again").status()).isEqualTo(200);
        Await.until("it is gone", () -> client.get(ALL + "/again").status() == 404);
        assertThat(client.get(PAST + "again/history").status()).isEqualTo(404);
        gate("again", "after");
        JsonNode first = at("again", 1);
        assertThat(first.path("metadata").path("labels").path("life").asString(""))
                .isEqualTo("after");
        assertThat(first.path("metadata").path("uid"))
                .isEqualTo(now("again").path("metadata").path("uid"));
        assertThat(history("again").get(0).path("number").asInt()).isEqualTo(1);
        assertThat(history("again").get(0).path("events").toString())
                .contains("the workflow is submitted");
    }

    private static void gate(String name, String life) {
        Answer created =
                client.post(
                        ALL,
                        """
                        {"workflow":{"metadata":{"name":"%s","labels":{"life":"%s"}},"spec":{"entrypoint":"main",
                          "templates":[{"name":"main","suspend":{}}]}}}"""
                                .formatted(name, life));
        assertThat(created.status()).as(created.body().toString()).isEqualTo(200);
        Await.until("it waits", () -> !now(name).path("status").path("nodes").path(name).isEmpty());
    }

    private static void resume(String name) {
        client.put(ALL + "/" + name + "/resume", "{}");
        Await.until(
                "it has finished",
                () -> now(name).path("status").path("phase").asString("").equals("Succeeded"));
    }

    private static JsonNode now(String name) {
        return client.get(ALL + "/" + name).body();
    }

    private static JsonNode at(String name, int number) {
        Answer answer = client.get(PAST + name + "?at=" + number);
        assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
        return answer.body();
    }

    private static JsonNode history(String name) {
        return client.get(PAST + name + "/history").body().path("transitions");
    }

    /** Without the annotations that say which moment it is. */
    private static JsonNode bare(JsonNode workflow) {
        JsonNode copy = workflow.deepCopy();
        if (copy.path("metadata").path("annotations") instanceof ObjectNode annotations) {
            annotations.remove(
                    List.of(
                            "millrace.dev/at-transition",
                            "millrace.dev/at-time",
                            "millrace.dev/transitions"));
        }
        return copy;
    }
}
