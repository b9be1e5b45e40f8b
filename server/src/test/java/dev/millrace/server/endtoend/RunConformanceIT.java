package dev.millrace.server.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.Json;
import dev.millrace.server.endtoend.RunRows.Row;
import dev.millrace.testkit.Await;
import dev.millrace.testkit.Comparison;
import dev.millrace.testkit.Conformance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The field's example workflows, run by a real server with real processes, against what the field's
 * own controller made of them. All are submitted at the beginning and run beside each other, since
 * most of them sleep.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class RunConformanceIT {
    private static final Duration PATIENCE = Duration.ofSeconds(150);

    /** More retries than the limits of the manifests allow are a mistake. */
    private static final Map<String, Integer> RETRIES =
            Map.of(
                    "retry-on-error.json",
                    2,
                    "template-defaults.json",
                    2,
                    "retry-container-to-completion.json",
                    1_000);

    private static final int USUAL_LIMIT = 10;

    /**
     * Rows of which chance decides only values: the tree is compared as usual, the values are not.
     */
    private static final List<String> VALUES = List.of("scripts-bash.json", "scripts-python.json");

    private static final Set<String> SUSPENDED =
            Set.of(
                    "suspend-template.json",
                    "suspend-template-outputs.json",
                    "intermediate-parameters.json");

    /** What the manifests about semaphores say in their comments that there is. */
    private static final String LIMITS =
            """
            {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "my-config"},
             "data": {"template": "3", "workflow": "3"}}
            """;

    /**
     * Its steps wait for each other and sleep for 350 s altogether; here they sleep for a tenth of
     * it, and nothing else is changed.
     */
    private static final String SLEEPY = "synchronization-mutex-tmpl-level.json";

    /** It would be deleted some seconds after its end; here it stays until it was looked at. */
    private static final String SHORT_LIVED = "gc-ttl.json";

    /** Those that call places on the internet. */
    private static final Set<String> CALLING =
            Set.of(
                    "http-hello-world.json",
                    "http-success-condition.json",
                    "life-cycle-hooks-tmpl-level.json",
                    "life-cycle-hooks-wf-level.json");

    @TempDir static Path data;
    private static WebStub web;
    private static RunRows rows;
    private static TestServer server;
    private static final Map<String, List<String>> SUBMITTED = new ConcurrentHashMap<>();
    private static final Map<String, String> OUTCOMES = new ConcurrentHashMap<>();

    @BeforeAll
    @Timeout(value = 4, unit = TimeUnit.MINUTES)
    static void submitAll() throws IOException {
        long begin = System.nanoTime();
        Path workflows = Conformance.assumePresent().resolve("workflows");
        rows = new RunRows(workflows);
        web = new WebStub();
        server = TestServer.start(data, "127.12.1.1");
        server.api()
                .apply(
                        """
                        apiVersion: v1
                        kind: ConfigMap
                        metadata: {name: artifact-repositories}
                        data: {my-key: "local: {}"}
                        """);
        server.api()
                .apply(
                        Files.readString(
                                workflows.resolve(
                                        "manifests/configmaps/simple-parameters-configmap.yaml")));
        for (JsonNode template : rows.templates()) {
            // One that needs what is not built is refused; the rows that refer to it are in the
            // table.
            server.api().post("/api/v1/manifests", "application/json", template.toString());
        }
        server.api().post("/api/v1/manifests", "application/json", LIMITS).ok();
        try (ExecutorService clients = Executors.newFixedThreadPool(8)) {
            for (Row row : run()) {
                clients.execute(
                        () ->
                                SUBMITTED.put(
                                        row.recording(),
                                        row.documents().stream()
                                                .map(document -> prepared(row, document))
                                                .map(RunConformanceIT::submit)
                                                .toList()));
            }
        }
        System.out.printf(
                "workflow run: %d submitted after %d s%n", SUBMITTED.size(), seconds(begin));
    }

    @AfterAll
    static void stop() throws IOException {
        if (server == null) {
            return;
        }
        server.close();
        web.close();
        List<Row> all = rows.all();
        System.out.printf(
                "workflow run: %d recordings, %d run, %d alike, %d left out, %d not for local processes%n",
                all.size(),
                SUBMITTED.size(),
                OUTCOMES.values().stream().filter(o -> o.startsWith("alike")).count(),
                RunTable.LEFT_OUT.size(),
                all.stream().filter(r -> !r.local()).count());
        for (Row row : all) {
            String outcome =
                    row.local()
                            ? OUTCOMES.getOrDefault(
                                    row.recording(),
                                    "left out: "
                                            + RunTable.LEFT_OUT.getOrDefault(
                                                    row.recording(), "not awaited"))
                            : "needs more than local processes";
            System.out.printf("  %-75s %s%n", row.recording(), outcome);
        }
    }

    @TestFactory
    Stream<DynamicTest> aRunGivesTheRecordedTree() throws IOException {
        // Those that wait for somebody first.
        return run().stream()
                .sorted(Comparator.comparing(row -> !SUSPENDED.contains(row.recording())))
                .map(
                        row ->
                                DynamicTest.dynamicTest(
                                        row.recording(),
                                        () -> {
                                            List<String> differences = differences(row);
                                            OUTCOMES.put(
                                                    row.recording(),
                                                    differences.isEmpty()
                                                            ? "alike" + took(row)
                                                            : "DIFFERENT "
                                                                    + differences.getFirst());
                                            assertThat(differences).as(row.recording()).isEmpty();
                                        }));
    }

    @Test
    void everyLocalRecordingIsRunOrNamedWithItsReason() throws IOException {
        List<String> local = rows.all().stream().filter(Row::local).map(Row::recording).toList();
        assertThat(RunTable.LEFT_OUT.keySet()).isSubsetOf(local);
    }

    private static List<Row> run() throws IOException {
        return rows.all().stream()
                .filter(row -> row.local() && !RunTable.LEFT_OUT.containsKey(row.recording()))
                .toList();
    }

    private static JsonNode prepared(Row row, JsonNode document) {
        if (CALLING.contains(row.recording())) {
            return Json.mapper().readTree(web.here(document.toString()));
        }
        if (row.recording().equals(SHORT_LIVED)) {
            return Json.mapper()
                    .readTree(
                            document.toString()
                                    .replaceAll("(?<ttl>\"secondsAfter\\w+\":)\\d+", "${ttl}3600"));
        }
        return row.recording().equals(SLEEPY)
                ? Json.mapper()
                        .readTree(document.toString().replaceAll("sleep (\\d)0;", "sleep $1;"))
                : document;
    }

    private static String submit(JsonNode document) {
        JsonNode copy = document.deepCopy();
        if (copy.get("metadata") instanceof ObjectNode metadata) {
            metadata.remove("namespace");
        }
        JsonNode body = Json.object().set("workflow", copy);
        ApiClient.Answer answer =
                server.api()
                        .post(
                                "/api/v1/workflows/" + ApiClient.NAMESPACE,
                                "application/json",
                                body.toString());
        return answer.status() == 200 ? ApiClient.name(answer.json()) : "refused: " + answer.body();
    }

    private static void asThePersonAtTheKeyboardDid(Row row, String name) {
        switch (row.recording()) {
            case "suspend-template.json" -> {
                whenSuspended(name);
                server.api().put(path(name) + "/resume", "{}").ok();
            }
            case "suspend-template-outputs.json" -> setOutput(name, "message", "rig-value");
            case "intermediate-parameters.json" -> setOutput(name, "approve", "YES");
            default -> {}
        }
    }

    /** Supplies the one parameter that the suspended node waits for, and lets it go on. */
    private static void setOutput(String name, String parameter, String value) {
        JsonNode node = whenSuspended(name);
        ObjectNode body =
                Json.object().put("nodeFieldSelector", "displayName=" + text(node, "displayName"));
        body.put("outputParameters", Json.object().put(parameter, value).toString());
        server.api().put(path(name) + "/set", body.toString()).ok();
        server.api().put(path(name) + "/resume", "{}").ok();
    }

    private static JsonNode whenSuspended(String name) {
        return Await.value(
                name + " waits for somebody",
                Duration.ofSeconds(60),
                () ->
                        server.api()
                                .workflow(name)
                                .path("status")
                                .path("nodes")
                                .valueStream()
                                .filter(
                                        n ->
                                                text(n, "type").equals("Suspend")
                                                        && text(n, "phase").equals("Running"))
                                .findFirst());
    }

    private static List<String> differences(Row row) throws IOException {
        JsonNode recorded = rows.recorded(row.recording());
        List<String> best = List.of("nothing to submit");
        int fewest = Integer.MAX_VALUE;
        for (String name : SUBMITTED.get(row.recording())) {
            List<String> differences = List.of(name);
            if (!name.startsWith("refused")) {
                asThePersonAtTheKeyboardDid(row, name);
                differences = differences(row, recorded, finished(row, name));
            }
            if (differences.size() < fewest) {
                best = differences;
                fewest = differences.size();
            }
        }
        return best;
    }

    private static JsonNode finished(Row row, String name) {
        JsonNode made = server.api().finished(name, PATIENCE);
        return CALLING.contains(row.recording())
                ? Json.mapper().readTree(web.elsewhere(made.toString()))
                : made;
    }

    private static List<String> differences(Row row, JsonNode recorded, JsonNode made) {
        List<String> differences = new ArrayList<>();
        if (VALUES.contains(row.recording())) {
            differences.addAll(PossibleTree.problems(made));
            differences.addAll(Comparison.of(withoutValues(recorded), withoutValues(made)));
        } else if (row.random()) {
            differences.addAll(
                    PossibleTree.problems(
                            recorded, made, RETRIES.getOrDefault(row.recording(), USUAL_LIMIT)));
        } else {
            differences.addAll(PossibleTree.problems(made));
            differences.addAll(Comparison.of(recorded, made));
            // Who resumed is only known where people log in.
            differences.removeIf(
                    d -> d.contains("message: recorded Resumed by: map[User:admin], made "));
        }
        return differences;
    }

    private static JsonNode withoutValues(JsonNode tree) {
        JsonNode copy = tree.deepCopy();
        for (JsonNode node : copy.findParents("result")) {
            ((ObjectNode) node).put("result", "by chance");
        }
        for (JsonNode node : copy.findParents("value")) {
            ((ObjectNode) node).put("value", "by chance");
        }
        return copy;
    }

    private static String took(Row row) {
        String name =
                SUBMITTED.get(row.recording()).stream()
                        .filter(n -> !n.startsWith("refused"))
                        .findFirst()
                        .orElseThrow();
        JsonNode status = server.api().workflow(name).path("status");
        Instant begin = Instant.parse(text(status, "startedAt"));
        return " ("
                + Duration.between(begin, Instant.parse(text(status, "finishedAt"))).toSeconds()
                + " s)";
    }

    private static long seconds(long since) {
        return (System.nanoTime() - since) / 1_000_000_000;
    }

    private static String path(String name) {
        return "/api/v1/workflows/" + ApiClient.NAMESPACE + "/" + name;
    }

    private static String text(JsonNode node, String field) {
        return node.path(field).asString("");
    }
}
