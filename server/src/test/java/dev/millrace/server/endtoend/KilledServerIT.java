package dev.millrace.server.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.log.Topics;
import dev.millrace.schemas.record.StepCommand;
import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.schemas.record.WorkflowTransition;
import dev.millrace.server.ReadModelRebuild;
import dev.millrace.server.readmodel.ReadModel;
import dev.millrace.testkit.Await;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * The server is killed at random moments while webhooks and bindings start workflows. What was
 * acknowledged happens, and happens once. {@code -Dsoak} kills fifty times instead of five; {@code
 * -Dseed=…} repeats the moments of a run.
 */
@Timeout(value = 1, unit = TimeUnit.HOURS)
final class KilledServerIT {
    private static final Duration PATIENCE = KilledServer.PATIENCE;
    private static final String WEBHOOKS = "127.12.3.1";
    private static final int SENDERS = 4;
    private static final List<String> STEPS = List.of("one", "two", "three");

    private final boolean soak = Boolean.getBoolean("soak");
    private int kills = soak ? 50 : 5;
    private int posts = soak ? 1_000 : 200;
    private final long seed = Long.getLong("seed", System.nanoTime());
    private final Random random = new Random(seed);

    @TempDir Path folder;
    private KilledServer server;
    private ApiClient api;

    @Test
    void whatAWebhookAcknowledgedHappensExactlyOnce() throws IOException, InterruptedException {
        whatWasAcknowledgedHappensExactlyOnce(
                "three-steps.yaml", port -> URI.create("http://" + WEBHOOKS + ":12000/post"));
    }

    @Test
    void whatWasPostedForABindingHappensExactlyOnce() throws IOException, InterruptedException {
        kills = soak ? 50 : 3;
        posts = soak ? 1_000 : 90;
        whatWasAcknowledgedHappensExactlyOnce(
                "three-bound-steps.yaml",
                port -> URI.create("http://localhost:" + port + "/api/v1/events/default/posts"));
    }

    private void whatWasAcknowledgedHappensExactlyOnce(String manifests, IntFunction<URI> address)
            throws IOException, InterruptedException {
        System.out.printf("killed server: seed %d, %d kills, %d posts%n", seed, kills, posts);
        try (KilledServer started = KilledServer.start(folder, WEBHOOKS);
                StepCalls calls = new StepCalls();
                ExecutorService senders = Executors.newVirtualThreadPerTaskExecutor()) {
            server = started;
            api = server.api();
            api.apply(manifests(manifests, calls));
            Posts sender = new Posts(api, address.apply(server.place().port()));
            List<CompletableFuture<Void>> sending = new ArrayList<>();
            for (int i = 0; i < SENDERS; i++) {
                sending.add(CompletableFuture.runAsync(() -> sender.send(posts), senders));
            }
            killNowAndThen(sender);
            sending.forEach(CompletableFuture::join);
            assertThat(sender.acknowledged()).hasSize(posts);

            List<JsonNode> workflows = finishedWorkflows(sender);

            everyPostHasItsWorkflow(sender, workflows);
            everyStepRanOnce(calls, workflows);
            theLogTellsEachThingOnce(workflows);
            theMetricsCountEachStepOnce(workflows);
            server.stopInOrder(folder);
            theReadModelIsWhatTheLogSays();
        } catch (AssertionError | RuntimeException e) {
            if (server != null) {
                server.keepEvidence(seed);
            }
            throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
        }
    }

    private void killNowAndThen(Posts sender) throws InterruptedException {
        int portion = posts / kills;
        while (server.kills() < kills) {
            int before = server.kills() * portion;
            sender.allow(before + portion);
            int moment = before + random.nextInt(portion);
            Await.until(
                    "post " + moment + " of " + posts + " is acknowledged",
                    PATIENCE,
                    () -> sender.acknowledged().size() >= moment);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(1_500)));
            System.out.printf("  kill after %d acknowledged posts%n", sender.acknowledged().size());
            server.killAndRestart(random, kills);
        }
        sender.allow(posts);
    }

    private List<JsonNode> finishedWorkflows(Posts sender) {
        return Await.value(
                "all workflows have ended",
                PATIENCE,
                () -> {
                    JsonNode list =
                            api.get(
                                            "/api/v1/workflows/default?fields=items.metadata.name,items.status.phase,items.status.message,items.spec.arguments")
                                    .ok()
                                    .json();
                    List<JsonNode> items = list.path("items").valueStream().toList();
                    boolean done =
                            items.size() >= sender.acknowledged().size()
                                    && items.stream()
                                            .noneMatch(
                                                    w ->
                                                            List.of("", "Pending", "Running")
                                                                    .contains(ApiClient.phase(w)));
                    LockSupport.parkNanos(done ? 0 : TimeUnit.MILLISECONDS.toNanos(200));
                    return done ? java.util.Optional.of(items) : java.util.Optional.empty();
                });
    }

    private void everyPostHasItsWorkflow(Posts sender, List<JsonNode> workflows) {
        assertThat(workflows)
                .allSatisfy(
                        w ->
                                assertThat(ApiClient.phase(w))
                                        .as("%s %s", ApiClient.name(w), w.path("status"))
                                        .isEqualTo("Succeeded"));
        Map<String, List<String>> byAttempt =
                workflows.stream()
                        .collect(
                                Collectors.groupingBy(
                                        w -> ApiClient.parameter(w, 0),
                                        Collectors.mapping(ApiClient::name, Collectors.toList())));
        assertThat(byAttempt.keySet()).containsAll(sender.acknowledged());
        assertThat(sender.attempts()).containsAll(byAttempt.keySet());
        assertThat(byAttempt)
                .allSatisfy((attempt, names) -> assertThat(names).as(attempt).hasSize(1));
        // Each event of the log has its workflow, those too whose sender was killed off before its
        // answer.
        int events =
                api.get("/api/v1/millrace/events?limit=" + 10 * posts)
                        .ok()
                        .json()
                        .path("items")
                        .size();
        assertThat(workflows).hasSize(events);
        assertThat(api.get("/api/v1/millrace/dead-letters").ok().json().path("items")).isEmpty();
        System.out.printf(
                "  %d attempts, %d acknowledged, %d events, %d workflows%n",
                sender.attempts().size(), sender.acknowledged().size(), events, workflows.size());
    }

    private void everyStepRanOnce(StepCalls calls, List<JsonNode> workflows) {
        Map<String, Integer> expected = new HashMap<>();
        for (JsonNode workflow : workflows) {
            STEPS.forEach(step -> expected.put(ApiClient.name(workflow) + " " + step, 1));
        }
        assertThat(calls.counts()).containsExactlyInAnyOrderEntriesOf(expected);
        for (JsonNode workflow : workflows) {
            String name = ApiClient.name(workflow);
            assertThat(api.log(name))
                    .containsExactlyElementsOf(
                            STEPS.stream().map(step -> "counted " + name + " " + step).toList());
        }
    }

    private void theLogTellsEachThingOnce(List<JsonNode> workflows) {
        Map<String, Integer> told = new HashMap<>();
        for (WorkflowTransition transition :
                server.records(Topics.WORKFLOW_EVENTS, WorkflowTransition.class)) {
            String workflow = transition.namespace() + "/" + transition.name();
            for (WorkflowEvent event : transition.events()) {
                String what =
                        switch (event) {
                            case WorkflowEvent.Submitted _ -> "submitted";
                            case WorkflowEvent.StepRequested e ->
                                    "requested " + e.spec().nodeName();
                            case WorkflowEvent.NodeFinished e -> "finished " + e.nodeId();
                            case WorkflowEvent.Finished _ -> "finished";
                            default -> "";
                        };
                if (!what.isEmpty()) {
                    told.merge(workflow + " " + what, 1, Integer::sum);
                }
            }
        }
        assertThat(told).allSatisfy((what, times) -> assertThat(times).as(what).isEqualTo(1));
        // Submitted, three requests, the ends of three pods, three groups and the root, and the end
        // of all.
        assertThat(told).hasSize(workflows.size() * (1 + 3 + 7 + 1));
        List<String> starts =
                server.records(Topics.STEPS, StepCommand.class).stream()
                        .filter(StepCommand.Start.class::isInstance)
                        .map(StepCommand::stepId)
                        .toList();
        assertThat(starts).doesNotHaveDuplicates().hasSize(3 * workflows.size());
    }

    private void theMetricsCountEachStepOnce(List<JsonNode> workflows) {
        String metrics = api.get("/metrics").ok().body();
        for (String step : STEPS) {
            assertThat(metrics)
                    .contains(
                            "argo_workflows_steps{step=\"%s\"} %s\n"
                                    .formatted(step, (double) workflows.size()));
        }
    }

    /** What the servers wrote between kills is what one gets that reads the log in peace. */
    private void theReadModelIsWhatTheLogSays() {
        List<String> before = dump();
        ReadModelRebuild.run(TestServer.configuration(server.place().data(), WEBHOOKS, Map.of()));
        assertThat(dump()).isEqualTo(before).anyMatch(row -> row.startsWith("nodes "));
    }

    private List<String> dump() {
        try (ReadModel model =
                ReadModel.openExisting(server.place().data().resolve("read-model.db"))) {
            // How far each reader was is a matter of the moment.
            return model.dump().stream().filter(row -> !row.startsWith("positions ")).toList();
        }
    }

    private String manifests(String file, StepCalls calls) throws IOException {
        String text =
                new String(
                        KilledServerIT.class.getResourceAsStream(file).readAllBytes(),
                        java.nio.charset.StandardCharsets.UTF_8);
        String script = calls.script("{{workflow.name}} {{inputs.parameters.step}}");
        return text.replace("SCRIPT", script.strip().replace("\n", "\n" + " ".repeat(24)));
    }
}
