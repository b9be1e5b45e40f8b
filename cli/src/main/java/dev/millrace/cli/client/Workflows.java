package dev.millrace.cli.client;

import dev.millrace.cli.CommandException;
import dev.millrace.schemas.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The workflows of a server. */
public final class Workflows {

    private static final int PAGE = 500;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final ApiClient api;
    private final Duration longest;

    public Workflows(ApiClient api) {
        this(api, PATIENCE);
    }

    /**
     * @param longest how long a server may be away from those who follow a workflow
     */
    Workflows(ApiClient api, Duration longest) {
        this.api = api;
        this.longest = longest;
    }

    /**
     * Starts a workflow; returns it as it was accepted.
     *
     * @param dryRun whether it is only checked
     */
    public JsonNode create(String namespace, JsonNode workflow, boolean dryRun) {
        ObjectNode message = Json.object().put("namespace", namespace);
        if (dryRun) {
            message.put("serverDryRun", true);
        }
        message.set("workflow", workflow);
        return api.post(all(namespace), message);
    }

    /** Starts a workflow from a template. */
    public JsonNode submit(String namespace, String kind, String name, ObjectNode options) {
        ObjectNode message =
                Json.object()
                        .put("namespace", namespace)
                        .put("resourceKind", kind)
                        .put("resourceName", name);
        message.set("submitOptions", options);
        return api.post(all(namespace) + "/submit", message);
    }

    /**
     * One workflow.
     *
     * @param name or {@code @latest}
     */
    public JsonNode get(String namespace, String name) {
        return api.get(one(namespace, name), Query.none());
    }

    /**
     * One workflow as it stood.
     *
     * @param at the number of a transition, an RFC 3339 time, or a span before now
     */
    public JsonNode at(String namespace, String name, String at) {
        return api.get(past(namespace, name), Query.none().with("at", at));
    }

    /** The transitions of a workflow: number, time, what happened. */
    public JsonNode history(String namespace, String name) {
        return api.get(past(namespace, name) + "/history", Query.none());
    }

    /** The name that {@code @latest} stands for now; other names are what they are. */
    public String resolve(String namespace, String name) {
        return name.equals("@latest")
                ? get(namespace, name).path("metadata").path("name").asString("")
                : name;
    }

    /**
     * All workflows that fulfil the selectors, page by page, without their nodes.
     *
     * @param namespace empty for all
     */
    public List<JsonNode> list(String namespace, String labelSelector, String fieldSelector) {
        return list(namespace, labelSelector, fieldSelector, PAGE);
    }

    /**
     * {@link #list(String, String, String)} with another size of the pages.
     *
     * @param page above zero
     */
    public List<JsonNode> list(
            String namespace, String labelSelector, String fieldSelector, int page) {
        List<JsonNode> workflows = new ArrayList<>();
        String next = "";
        do {
            JsonNode answer =
                    api.get(
                            all(namespace),
                            Query.none()
                                    .with("listOptions.labelSelector", labelSelector)
                                    .with("listOptions.fieldSelector", fieldSelector)
                                    .with("listOptions.limit", Integer.toString(page))
                                    .with("listOptions.continue", next)
                                    .with("fields", "-items.status.nodes"));
            answer.path("items").forEach(workflows::add);
            next = answer.path("metadata").path("continue").asString("");
        } while (!next.isEmpty());
        return workflows;
    }

    public void delete(String namespace, String name) {
        api.delete(one(namespace, name), Query.none());
    }

    /**
     * Stop, terminate, suspend, resume, retry, resubmit or set.
     *
     * @param details further members of the message; empty ones are left out
     */
    public JsonNode command(String namespace, String name, String verb, ObjectNode details) {
        ObjectNode message = Json.object().put("name", name).put("namespace", namespace);
        message.setAll(details);
        return api.put(one(namespace, name) + "/" + verb, message);
    }

    /**
     * Shows every change of a workflow until it has finished, also over restarts of the server.
     *
     * @return the finished workflow
     * @throws CommandException if it is deleted meanwhile
     * @throws UnreachableException if the server stays away
     */
    public JsonNode follow(String namespace, String name, Consumer<JsonNode> changed) {
        AtomicReference<@Nullable JsonNode> last = new AtomicReference<>();
        // Fails at once if there is no such workflow.
        see(get(namespace, name), last, changed);
        Patience patience = new Patience(longest);
        patience.repeat(
                () -> {
                    api.stream(
                            "/api/v1/workflow-events/" + Query.segment(namespace),
                            Query.none()
                                    .with("listOptions.fieldSelector", "metadata.name=" + name)
                                    .with("listOptions.resourceVersion", "0"),
                            event -> {
                                patience.heard();
                                if (event.path("type").asString("").equals("DELETED")) {
                                    throw CommandException.refused(
                                            "workflow %s/%s was deleted"
                                                    .formatted(namespace, name));
                                }
                                see(event.path("object"), last, changed);
                                return !finished(last.get());
                            });
                    return finished(last.get());
                },
                api.base().toString(),
                "the workflow %s/%s goes on when it is back (millrace watch %s)"
                        .formatted(namespace, name, name));
        JsonNode finished = last.get();
        if (finished == null) {
            throw new IllegalStateException("a finished workflow was seen");
        }
        return finished;
    }

    /**
     * The lines that steps have printed.
     *
     * @param pod empty for all
     */
    public void logs(
            String namespace, String name, String pod, Query query, Consumer<JsonNode> line) {
        api.stream(
                logPath(namespace, name, pod),
                query,
                message -> {
                    line.accept(message);
                    return true;
                });
    }

    /**
     * The lines of steps as they come, each once, until the workflow ends, also over restarts of
     * the server.
     *
     * @param pod empty for all
     * @param query what to show; the first time also {@code tailLines}; {@code sinceSeconds} are
     *     those before the call
     * @throws UnreachableException if the server stays away
     */
    public void followLogs(
            String namespace, String name, String pod, Query query, Consumer<JsonNode> line) {
        // Fails at once if there is no such workflow.
        get(namespace, name);
        Patience patience = new Patience(longest);
        SeenLines seen = new SeenLines();
        long begun = System.nanoTime();
        patience.repeat(
                () -> {
                    // What was printed tells where to go on; the end of the log as it is now does
                    // not.
                    Query asked = seen.isEmpty() ? query : query.without("logOptions.tailLines");
                    seen.fromTheBeginning();
                    boolean complete =
                            api.stream(
                                    logPath(namespace, name, pod),
                                    asked.later(
                                                    "logOptions.sinceSeconds",
                                                    Duration.ofNanos(System.nanoTime() - begun))
                                            .with("logOptions.follow", true),
                                    message -> {
                                        patience.heard();
                                        if (seen.isNew(message)) {
                                            line.accept(message);
                                        }
                                        return true;
                                    });
                    // Other servers of this kind do not say that this was all.
                    return complete || finished(get(namespace, name));
                },
                api.base().toString(),
                "the workflow %s/%s goes on when it is back (millrace logs -f %s)"
                        .formatted(namespace, name, name));
        if (!pod.isEmpty() && seen.isEmpty()) {
            // Now that no more steps come, the server knows whether there was such a pod.
            logs(namespace, name, pod, query.without("logOptions.follow"), line);
        }
    }

    private static String logPath(String namespace, String name, String pod) {
        return one(namespace, name) + (pod.isEmpty() ? "" : "/" + Query.segment(pod)) + "/log";
    }

    private static void see(
            JsonNode workflow,
            AtomicReference<@Nullable JsonNode> last,
            Consumer<JsonNode> changed) {
        if (!workflow.equals(last.get())) {
            last.set(workflow);
            changed.accept(workflow);
        }
    }

    private static boolean finished(@Nullable JsonNode workflow) {
        return workflow != null
                && !workflow.path("status").path("finishedAt").asString("").isEmpty();
    }

    private static String all(String namespace) {
        return namespace.isEmpty()
                ? "/api/v1/workflows"
                : "/api/v1/workflows/" + Query.segment(namespace);
    }

    private static String past(String namespace, String name) {
        return "/api/v1/millrace/workflows/" + Query.segment(namespace) + "/" + Query.segment(name);
    }

    private static String one(String namespace, String name) {
        return all(namespace) + "/" + Query.segment(name);
    }
}
