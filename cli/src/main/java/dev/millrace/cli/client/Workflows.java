package dev.millrace.cli.client;

import dev.millrace.cli.CommandException;
import dev.millrace.cli.ExitCode;
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
    private static final Duration PAUSE = Duration.ofMillis(500);

    private final ApiClient api;

    public Workflows(ApiClient api) {
        this.api = api;
    }

    /** Starts a workflow; returns it as it was accepted. */
    public JsonNode create(String namespace, JsonNode workflow) {
        ObjectNode message = Json.object().put("namespace", namespace);
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

    /** Checks a workflow without starting it. */
    public void lint(String namespace, JsonNode workflow) {
        ObjectNode message = Json.object().put("namespace", namespace);
        message.set("workflow", workflow);
        api.post(all(namespace) + "/lint", message);
    }

    /**
     * One workflow.
     *
     * @param name or {@code @latest}
     */
    public JsonNode get(String namespace, String name) {
        return api.get(one(namespace, name), Query.none());
    }

    /** The name that {@code @latest} stands for now; other names are what they are. */
    public String resolve(String namespace, String name) {
        return name.equals("@latest")
                ? get(namespace, name).path("metadata").path("name").asString("")
                : name;
    }

    /**
     * All workflows with the labels, page by page, without their nodes.
     *
     * @param namespace empty for all
     */
    public List<JsonNode> list(String namespace, String labelSelector) {
        return list(namespace, labelSelector, "");
    }

    /** {@link #list(String, String)} with fields as well. */
    public List<JsonNode> list(String namespace, String labelSelector, String fieldSelector) {
        List<JsonNode> workflows = new ArrayList<>();
        String next = "";
        do {
            JsonNode page =
                    api.get(
                            all(namespace),
                            Query.none()
                                    .with("listOptions.labelSelector", labelSelector)
                                    .with("listOptions.fieldSelector", fieldSelector)
                                    .with("listOptions.limit", Integer.toString(PAGE))
                                    .with("listOptions.continue", next)
                                    .with("fields", "-items.status.nodes"));
            page.path("items").forEach(workflows::add);
            next = page.path("metadata").path("continue").asString("");
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
     * @throws CommandException if it is deleted meanwhile, or the server stays away
     */
    public JsonNode follow(String namespace, String name, Consumer<JsonNode> changed) {
        AtomicReference<@Nullable JsonNode> last = new AtomicReference<>();
        // Fails at once if there is no such workflow.
        see(get(namespace, name), last, changed);
        long lostAt = 0;
        while (!finished(last.get())) {
            try {
                api.stream(
                        "/api/v1/workflow-events/" + Query.segment(namespace),
                        Query.none()
                                .with("listOptions.fieldSelector", "metadata.name=" + name)
                                .with("listOptions.resourceVersion", "0"),
                        event -> {
                            if (event.path("type").asString("").equals("DELETED")) {
                                throw CommandException.refused(
                                        "workflow %s/%s was deleted".formatted(namespace, name));
                            }
                            see(event.path("object"), last, changed);
                            return !finished(last.get());
                        });
                lostAt = 0;
            } catch (StreamLostException | UnreachableException e) {
                lostAt = lostAt == 0 ? System.nanoTime() : lostAt;
                if (System.nanoTime() - lostAt > PATIENCE.toNanos()) {
                    throw new UnreachableException(
                            "the server at %s is gone for %d s; the workflow %s/%s goes on when it is back (millrace watch %s)"
                                    .formatted(
                                            api.base(),
                                            PATIENCE.toSeconds(),
                                            namespace,
                                            name,
                                            name),
                            e);
                }
            }
            if (!finished(last.get())) {
                pause();
            }
        }
        JsonNode finished = last.get();
        if (finished == null) {
            throw new IllegalStateException("a finished workflow was seen");
        }
        return finished;
    }

    /**
     * Lines of steps.
     *
     * @param pod empty for all
     */
    public void logs(
            String namespace, String name, String pod, Query query, Consumer<JsonNode> line) {
        api.stream(
                one(namespace, name) + (pod.isEmpty() ? "" : "/" + Query.segment(pod)) + "/log",
                query,
                message -> {
                    line.accept(message);
                    return true;
                });
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

    private static void pause() {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandException(ExitCode.FAILED, "interrupted", e);
        }
    }

    private static String all(String namespace) {
        return namespace.isEmpty()
                ? "/api/v1/workflows"
                : "/api/v1/workflows/" + Query.segment(namespace);
    }

    private static String one(String namespace, String name) {
        return all(namespace) + "/" + Query.segment(name);
    }
}
