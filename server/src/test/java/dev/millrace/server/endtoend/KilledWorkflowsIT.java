package dev.millrace.server.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.log.Topics;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.StepCommand;
import dev.millrace.schemas.record.StepSpec;
import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.schemas.record.WorkflowTransition;
import dev.millrace.schemas.yaml.Document;
import dev.millrace.schemas.yaml.Documents;
import dev.millrace.schemas.yaml.YamlReader;
import dev.millrace.testkit.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The server is killed at random moments with locks, timers, retries, pauses and daemons in flight.
 * The steps themselves watch over their locks and write down that they ran. {@code -Dsoak} kills
 * fifty times instead of five; {@code -Dseed=…} repeats the moments of a run.
 */
@Timeout(value = 1, unit = TimeUnit.HOURS)
final class KilledWorkflowsIT {
    /** A timer may be so late while the server is at work: a busy machine. */
    private static final Duration MARGIN = Duration.ofSeconds(20);

    private static final Duration PATIENCE = KilledServer.PATIENCE;
    private static final String WORKFLOWS = "/api/v1/workflows/" + ApiClient.NAMESPACE;
    private static final Set<String> UNFINISHED = Set.of("", "Pending", "Running");
    private static final int WAVE = 10;

    /** What the workflows take, in one request; each semaphore has room for two. */
    private static final String SEMAPHORES =
            """
            "semaphores": [{"configMapKeyRef": {"name": "killed-limits", "key": "loops"}},
              {"configMapKeyRef": {"name": "killed-limits", "key": "trees"}},
              {"configMapKeyRef": {"name": "killed-limits", "key": "retries"}}]""";

    private static final String MUTEXES =
            """
            "mutexes": [{"name": "whole"}, {"name": "leaf"}, {"name": "retry"}, {"name": "pause"},
              {"name": "approval"}, {"name": "memo"}], """;

    private final int kills = Boolean.getBoolean("soak") ? 50 : 5;
    private final long seed = Long.getLong("seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final List<JsonNode> deck = new ArrayList<>();
    private final Map<String, JsonNode> submitted = new LinkedHashMap<>();
    private final List<String> approvals = new CopyOnWriteArrayList<>();

    @TempDir Path folder;
    private SharedFolder shared;
    private KilledServer server;

    @Test
    void noLockIsLostNoTimerForgottenAndNoStepRunsTwice() throws IOException, InterruptedException {
        System.out.printf("killed workflows: seed %d, %d kills%n", seed, kills);
        shared = new SharedFolder(folder.resolve("shared"));
        try (KilledServer started = KilledServer.start(folder, "127.12.3.2")) {
            server = started;
            server.api()
                    .apply(
                            """
                            {apiVersion: v1, kind: ConfigMap, metadata: {name: killed-limits},
                             data: {loops: "2", trees: "2", retries: "2"}}
                            """);
            List<JsonNode> ended = runWhileTheServerIsKilled();

            somethingOfEachWasInFlight(ended);
            allEndedAsTheyMust(ended);
            nobodyBrokeALock();
            everyStepRanOnce(ended);
            theLogTellsEachThingOnce();
            noTimerWasForgotten(ended);
            everyLockIsFree();
            server.stopInOrder(folder);
        } catch (AssertionError | RuntimeException e) {
            if (server != null) {
                server.keepEvidence(seed);
            }
            throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
        }
    }

    private List<JsonNode> runWhileTheServerIsKilled() throws InterruptedException {
        AtomicBoolean over = new AtomicBoolean();
        Random chance = new Random(seed);
        Thread resuming = Thread.ofVirtual().start(() -> resumeNowAndThen(chance, over));
        try {
            while (server.kills() < kills) {
                Map<String, JsonNode> wave = wave();
                CompletableFuture<Void> sent =
                        CompletableFuture.runAsync(() -> wave.forEach(this::submit));
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(5_000)));
                server.killAndRestart(random, kills);
                sent.join();
            }
            return ended();
        } finally {
            over.set(true);
            resuming.join();
        }
    }

    /** Names of the next workflows; every kind has its turn. */
    private Map<String, JsonNode> wave() {
        Map<String, JsonNode> wave = new LinkedHashMap<>();
        for (int i = 0; i < WAVE; i++) {
            if (deck.isEmpty()) {
                deck.addAll(kinds());
                Collections.shuffle(deck, random);
            }
            JsonNode kind = deck.removeLast();
            String name = ApiClient.name(kind) + "-" + submitted.size();
            submitted.put(name, kind);
            if (ApiClient.name(kind).equals("approval")) {
                approvals.add(name);
            }
            wave.put(name, kind);
        }
        return wave;
    }

    private List<JsonNode> kinds() {
        try {
            String file = "killed-workflows.yaml";
            Documents documents = YamlReader.read(file, shared.manifests(file));
            assertThat(documents.faults()).isEmpty();
            return documents.documents().stream().map(Document::tree).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Submits until the server says that it has it, whatever happens to the server. */
    private void submit(String name, JsonNode kind) {
        ObjectNode workflow = (ObjectNode) kind.deepCopy();
        workflow.put("apiVersion", "argoproj.io/v1alpha1").put("kind", "Workflow");
        workflow.withObject("/metadata").put("name", name);
        workflow.withObject("/spec").set("volumes", Json.mapper().readTree(shared.volumes()));
        String body = Json.object().set("workflow", workflow).toString();
        ApiClient.Answer answer =
                Await.value(
                        name + " is accepted",
                        PATIENCE,
                        () ->
                                Optional.of(server.api().post(WORKFLOWS, "application/json", body))
                                        .filter(a -> a.status() < 500));
        // That it exists already says that an answer was lost.
        assertThat(answer.status()).as(answer.body()).isIn(200, 409);
    }

    private void resumeNowAndThen(Random chance, AtomicBoolean over) {
        while (!over.get()) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(chance.nextInt(2_000)));
            for (String name : approvals) {
                try {
                    if (waitsForSomebody(name)) {
                        server.api().put(WORKFLOWS + "/" + name + "/resume", "{}");
                    }
                } catch (UncheckedIOException e) {
                    break; // Killed meanwhile: another time.
                }
            }
        }
    }

    private boolean waitsForSomebody(String name) {
        ApiClient.Answer answer = server.api().get(WORKFLOWS + "/" + name);
        return answer.status() == 200
                && nodes(answer.json(), "Suspend").stream()
                        .anyMatch(n -> n.path("phase").asString("").equals("Running"));
    }

    private List<JsonNode> ended() {
        Await.asserted(
                PATIENCE,
                () ->
                        assertThat(
                                        server.api()
                                                .get(
                                                        WORKFLOWS
                                                                + "?fields=items.metadata.name,items.status.phase,items.status.message")
                                                .ok()
                                                .json()
                                                .path("items")
                                                .valueStream()
                                                .filter(
                                                        w ->
                                                                UNFINISHED.contains(
                                                                        ApiClient.phase(w))))
                                .as("workflows that have not ended")
                                .isEmpty());
        List<JsonNode> ended = server.api().workflows();
        assertThat(ended.stream().map(ApiClient::name))
                .containsExactlyInAnyOrderElementsOf(submitted.keySet());
        return ended;
    }

    private String expected(JsonNode workflow, String annotation, String otherwise) {
        return submitted
                .get(ApiClient.name(workflow))
                .path("metadata")
                .path("annotations")
                .path(annotation)
                .asString(otherwise);
    }

    private void somethingOfEachWasInFlight(List<JsonNode> ended) {
        for (String type : List.of("Pod", "Suspend", "Retry")) {
            List<Long> atKills =
                    server.killedAt().stream()
                            .map(
                                    kill ->
                                            ended.stream()
                                                    .flatMap(w -> nodes(w, type).stream())
                                                    .filter(
                                                            n ->
                                                                    time(n, "startedAt")
                                                                            .isBefore(kill))
                                                    .filter(
                                                            n ->
                                                                    time(n, "finishedAt")
                                                                            .isAfter(kill))
                                                    .count())
                            .toList();
            System.out.printf("  in flight at kills: %s %s%n", type, atKills);
            assertThat(atKills).as(type).anyMatch(count -> count > 0);
        }
    }

    private static Instant time(JsonNode node, String member) {
        return Instant.parse(node.path(member).asString(""));
    }

    private void allEndedAsTheyMust(List<JsonNode> ended) {
        for (JsonNode workflow : ended) {
            JsonNode status = workflow.path("status");
            assertThat(ApiClient.phase(workflow))
                    .as("%s: %s", ApiClient.name(workflow), status)
                    .isEqualTo(expected(workflow, "phase", "Succeeded"));
            assertThat(status.has("synchronization"))
                    .as("%s has or wants locks", ApiClient.name(workflow))
                    .isFalse();
        }
        assertThat(server.api().get("/api/v1/millrace/dead-letters").ok().json().path("items"))
                .isEmpty();
    }

    private void nobodyBrokeALock() throws IOException {
        assertThat(shared.violations()).isEmpty();
        assertThat(shared.held()).as("places that nobody gave back").isEmpty();
    }

    private void everyStepRanOnce(List<JsonNode> ended) {
        Map<String, StepSpec> asked = new HashMap<>();
        List<StepSpec> starts =
                server.records(Topics.STEPS, StepCommand.class).stream()
                        .filter(StepCommand.Start.class::isInstance)
                        .map(start -> ((StepCommand.Start) start).spec())
                        .toList();
        starts.forEach(spec -> asked.put(spec.podName(), spec));
        assertThat(starts.stream().map(StepSpec::stepId)).doesNotHaveDuplicates();
        int count = 0;
        for (JsonNode workflow : ended) {
            String name = ApiClient.name(workflow);
            List<String> ran = shared.runs(name).stream().map(SharedFolder.Run::pod).toList();
            assertThat(ran).as("steps of %s that ran", name).doesNotHaveDuplicates();
            assertThat(asked.keySet()).containsAll(ran);
            String[] runs = expected(workflow, "runs", "").split("-");
            assertThat(ran.size())
                    .as("steps of %s that ran: %s", name, ran)
                    .isBetween(Integer.valueOf(runs[0]), Integer.valueOf(runs[runs.length - 1]));
            List<String> succeeded =
                    nodes(workflow, "Pod").stream()
                            .filter(n -> n.path("phase").asString("").equals("Succeeded"))
                            .filter(n -> !n.path("memoizationStatus").path("hit").asBoolean(false))
                            .map(n -> n.path("id").asString(""))
                            .toList();
            assertThat(ran.stream().map(pod -> asked.get(pod).nodeId())).containsAll(succeeded);
            count += ran.size();
        }
        assertThat(shared.memoized()).as("runs of the memoized step").isEqualTo(1);
        System.out.printf("  %d workflows, %d steps ran%n", ended.size(), count);
    }

    private void theLogTellsEachThingOnce() {
        Map<String, Integer> told = new HashMap<>();
        int waits = 0;
        for (WorkflowTransition transition :
                server.records(Topics.WORKFLOW_EVENTS, WorkflowTransition.class)) {
            for (WorkflowEvent event : transition.events()) {
                String what =
                        switch (event) {
                            case WorkflowEvent.Submitted _ -> "submitted";
                            case WorkflowEvent.NodeFinished e -> "finished " + e.nodeId();
                            case WorkflowEvent.Finished _ -> "finished";
                            default -> "";
                        };
                if (!what.isEmpty()) {
                    told.merge(transition.name() + " " + what, 1, Integer::sum);
                }
                waits += event instanceof WorkflowEvent.LockAwaited ? 1 : 0;
            }
        }
        assertThat(told).allSatisfy((what, times) -> assertThat(times).as(what).isEqualTo(1));
        assertThat(waits).as("there was something to wait for").isPositive();
    }

    private void noTimerWasForgotten(List<JsonNode> ended) {
        for (JsonNode workflow : ended) {
            String name = ApiClient.name(workflow);
            long pause = Long.parseLong(expected(workflow, "pause", "0"));
            for (JsonNode node : pause > 0 ? nodes(workflow, "Suspend") : List.<JsonNode>of()) {
                took(name, node, pause);
            }
            long deadline = Long.parseLong(expected(workflow, "deadline", "0"));
            if (deadline > 0) {
                took(name, workflow.path("status"), deadline);
            }
            String backoff = expected(workflow, "backoff", "");
            List<SharedFolder.Run> runs = shared.runs(name);
            int attempt = 0;
            for (String seconds : backoff.isEmpty() ? new String[0] : backoff.split(",")) {
                Instant due = runs.get(attempt).at().plusSeconds(Long.parseLong(seconds));
                assertThat(runs.get(++attempt).at())
                        .as("attempt %d of %s", attempt, name)
                        .isBetween(due, server.latest(due, MARGIN));
            }
        }
    }

    /** The object shows whole seconds. */
    private void took(String name, JsonNode what, long seconds) {
        Instant due = time(what, "startedAt").plusSeconds(seconds);
        assertThat(time(what, "finishedAt"))
                .as("the timer of %s", name)
                .isBetween(due.minusSeconds(1), server.latest(due, MARGIN));
    }

    /** Whoever comes now gets each lock, and a semaphore as often as there is room. */
    private void everyLockIsFree() {
        List<String> last = List.of(holder(MUTEXES), holder(""));
        for (String name : last) {
            Await.until(name + " has its locks", () -> waitsForSomebody(name));
        }
        for (String name : last) {
            server.api().put(WORKFLOWS + "/" + name + "/resume", "{}").ok();
            assertThat(ApiClient.phase(server.api().finished(name, PATIENCE)))
                    .isEqualTo("Succeeded");
        }
    }

    private String holder(String mutexes) {
        return server.api()
                .submit(
                        Json.mapper()
                                .readTree(
                                        """
                                        {"apiVersion": "argoproj.io/v1alpha1", "kind": "Workflow",
                                         "metadata": {"generateName": "last-"},
                                         "spec": {"entrypoint": "main", "synchronization": {%s%s},
                                           "templates": [{"name": "main", "suspend": {}}]}}
                                        """
                                                .formatted(mutexes, SEMAPHORES)));
    }

    private static List<JsonNode> nodes(JsonNode workflow, String type) {
        return workflow.path("status")
                .path("nodes")
                .valueStream()
                .filter(n -> n.path("type").asString("").equals(type))
                .toList();
    }
}
