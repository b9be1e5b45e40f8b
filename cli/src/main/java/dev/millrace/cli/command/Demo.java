package dev.millrace.cli.command;

import dev.millrace.cli.CommandException;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.Surroundings;
import dev.millrace.cli.client.ApiClient;
import dev.millrace.cli.client.Events;
import dev.millrace.cli.client.Query;
import dev.millrace.cli.client.Templates;
import dev.millrace.cli.client.Workflows;
import dev.millrace.cli.view.EventPicture;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.manifest.Kind;
import dev.millrace.workflowengine.core.NodeNames;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What the demo does on its server, step by step. */
final class Demo {

    private static final String NAMESPACE = "default";
    private static final String NAME = "quickstart";
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final ApiClient api;
    private final DemoManifests manifests;
    private final Surroundings surroundings;
    private final Set<String> said = new HashSet<>();

    Demo(ApiClient api, DemoManifests manifests, Surroundings surroundings) {
        this.api = api;
        this.manifests = manifests;
        this.surroundings = surroundings;
    }

    /** Plays it; the exit code tells how the workflow ended. */
    int play() {
        title("1. The manifests of " + manifests.folder());
        apply();
        await("the event source listens", () -> isReady(Kind.EVENT_SOURCE));
        await("the sensor waits for events", () -> isReady(Kind.SENSOR));

        title("2. Two webhooks; each is answered when the log has the event");
        post("push", Json.object().put("branch", "main").put("repository", "millrace"));
        post("approve", Json.object().put("by", "ada").put("votes", 2));

        title("3. What the sensor makes of them");
        String workflow = await("a workflow is started", this::workflowOfEvents);

        title("4. The workflow " + workflow);
        Workflows workflows = new Workflows(api);
        int code = WatchCommand.watch(workflows, NAMESPACE, workflow, surroundings);

        title("5. What its last steps printed");
        printed(workflows, workflow);
        return code;
    }

    private void apply() {
        Manifests target = new Manifests(api, NAMESPACE, surroundings);
        boolean applied = true;
        for (ManifestFile file : manifests.files()) {
            applied &= target.apply(file.name(), file.documents(false), this::say);
        }
        if (!applied) {
            throw CommandException.refused(
                    "the manifests in "
                            + manifests.folder()
                            + " were not taken; undo what was changed there");
        }
    }

    /** Whether what runs the object has seen it as it stands, and all its entries work. */
    private Optional<Boolean> isReady(Kind kind) {
        JsonNode object = new Templates(api).definition(kind, NAMESPACE, NAME);
        JsonNode status = object.path("status");
        String version = object.path("metadata").path("resourceVersion").asString("");
        boolean seen =
                status.path("observedVersion").asString("").equals(version) && !version.isEmpty();
        boolean active = seen && !status.path("entries").isEmpty();
        for (JsonNode entry : status.path("entries")) {
            String state = entry.path("state").asString("");
            if (seen && state.equals("Failed")) {
                throw new CommandException(
                        ExitCode.FAILED,
                        "%s %s: %s"
                                .formatted(
                                        kind, NAME, entry.path("message").asString("it failed")));
            }
            active &= state.equals("Active");
        }
        return active ? Optional.of(true) : Optional.empty();
    }

    private void post(String event, ObjectNode body) {
        URI address = manifests.webhook(event);
        HttpRequest request =
                HttpRequest.newBuilder(address)
                        .timeout(PATIENCE)
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(body.toString()))
                        .build();
        try (HttpClient http = HttpClient.newBuilder().connectTimeout(PATIENCE).build()) {
            HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
            say(
                    "POST %s %s -> %d %s"
                            .formatted(
                                    address, body, response.statusCode(), response.body().strip()));
            if (response.statusCode() != 200) {
                throw CommandException.refused("the webhook was not taken");
            }
        } catch (IOException e) {
            throw new CommandException(
                    ExitCode.FAILED, "POST %s: %s".formatted(address, e.getMessage()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandException(ExitCode.FAILED, "interrupted", e);
        }
    }

    /** Says what is new about the events; the name of the workflow as soon as there is one. */
    private Optional<String> workflowOfEvents() {
        Events events = new Events(api);
        List<JsonNode> oldestFirst = new ArrayList<>();
        events.list(NAMESPACE, NAME, 10).forEach(event -> oldestFirst.addFirst(event));
        Optional<String> workflow = Optional.empty();
        boolean dispatched = false;
        for (JsonNode listed : oldestFirst) {
            JsonNode event = events.get(listed.path("id").asString(""));
            String id = event.path("id").asString("");
            sayOnce(
                    "event %s (%s) is in the log: partition %d, offset %d"
                            .formatted(
                                    id,
                                    event.path("subject").asString(""),
                                    event.path("partition").asInt(0),
                                    event.path("offset").asLong(0)));
            for (JsonNode decision : event.path("decisions")) {
                sayOnce("  " + EventPicture.decision(decision, surroundings.style()));
                dispatched |= decision.path("outcome").asString("").equals("dispatched");
            }
            for (JsonNode activation : event.path("activations")) {
                sayOnce(
                        "activation %s of trigger %s, by %d events"
                                .formatted(
                                        activation.path("id").asString(""),
                                        activation.path("trigger").asString(""),
                                        activation.path("events").size()));
                for (JsonNode started : activation.path("workflows")) {
                    // namespace/name
                    workflow = Optional.of(started.asString("").substring(NAMESPACE.length() + 1));
                }
            }
        }
        // The workflow may be there before the dispatcher has said that it sent it.
        return dispatched ? workflow : Optional.empty();
    }

    private void printed(Workflows workflows, String name) {
        LogLines lines = new LogLines(surroundings, surroundings.style());
        for (JsonNode node : workflows.get(NAMESPACE, name).path("status").path("nodes")) {
            String nodeName = node.path("name").asString("");
            boolean last = nodeName.equals(name + ".announce") || nodeName.equals(name + ".onExit");
            if (last && node.path("type").asString("").equals("Pod")) {
                String pod =
                        NodeNames.podName(name, nodeName, node.path("templateName").asString(""));
                workflows.logs(NAMESPACE, name, pod, Query.none(), lines::print);
            }
        }
    }

    /** Asks until there is an answer. */
    private <T> T await(String fact, Supplier<Optional<T>> question) {
        long until = System.nanoTime() + PATIENCE.toNanos();
        Optional<T> answer = question.get();
        while (answer.isEmpty()) {
            if (System.nanoTime() > until) {
                throw CommandException.refused(
                        "%d s have gone, and it is not so that %s; %s/readyz tells which part has a problem"
                                .formatted(PATIENCE.toSeconds(), fact, api.base()));
            }
            try {
                Thread.sleep(PAUSE);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new CommandException(ExitCode.FAILED, "interrupted", e);
            }
            answer = question.get();
        }
        return answer.get();
    }

    private void title(String text) {
        surroundings.out().println();
        surroundings.out().println(text);
        surroundings.out().flush();
    }

    private void say(String text) {
        surroundings.out().println("  " + text);
        surroundings.out().flush();
    }

    private void sayOnce(String text) {
        if (said.add(text)) {
            say(text);
        }
    }
}
