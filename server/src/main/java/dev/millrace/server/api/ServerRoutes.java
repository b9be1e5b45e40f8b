package dev.millrace.server.api;

import dev.millrace.log.Health;
import dev.millrace.schemas.Json;
import dev.millrace.server.Readiness;
import dev.millrace.server.command.RefusedException;
import dev.millrace.server.command.RefusedException.Code;
import dev.millrace.server.readmodel.MetricRows;
import dev.millrace.server.readmodel.ReadModel;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** About the server itself: version, health, metrics, and what it knows not to have. */
final class ServerRoutes {

    /**
     * The release of the field's server that the shapes follow; clients compare it with their own.
     */
    static final String COMPATIBLE_VERSION = "v4.1.2";

    private final String version;
    private final Readiness readiness;
    private final PrometheusMeterRegistry meters;
    private final ReadModel model;
    private final InstantSource clock;
    private final Set<String> plugins;

    ServerRoutes(
            String version,
            Readiness readiness,
            PrometheusMeterRegistry meters,
            ReadModel model,
            InstantSource clock,
            Set<String> plugins) {
        this.plugins = plugins;
        this.version = version;
        this.readiness = readiness;
        this.meters = meters;
        this.model = model;
        this.clock = clock;
    }

    /** Those of the process, then those that workflows declare. */
    private String metrics() {
        return meters.scrape() + model.read(handle -> MetricRows.text(handle, clock.instant()));
    }

    void register(RoutesConfig routes) {
        routes.get("/api/v1/version", ctx -> WorkflowRoutes.answer(ctx, version()));
        routes.get("/api/v1/info", ctx -> WorkflowRoutes.answer(ctx, info()));
        routes.get("/api/v1/userinfo", ctx -> WorkflowRoutes.answer(ctx, Json.object()));
        routes.post("/api/v1/tracking/event", ctx -> WorkflowRoutes.answer(ctx, Json.object()));
        routes.get("/healthz", ctx -> ctx.contentType("text/plain").result("ok\n"));
        routes.get("/readyz", this::ready);
        routes.get(
                "/metrics", ctx -> ctx.contentType("text/plain; version=0.0.4").result(metrics()));
        for (String path :
                List.of("/api/v1/archived-workflows", "/api/v1/archived-workflows/{uid}")) {
            routes.get(
                    path,
                    _ ->
                            unbuilt(
                                    "the archive is not built; finished workflows stay in the list until they are deleted"));
        }
        for (String path :
                List.of(
                        "/api/v1/stream/events/{namespace}",
                        "/api/v1/stream/event-sources/{namespace}",
                        "/api/v1/stream/sensors/{namespace}",
                        "/api/v1/archived-workflows-label-keys",
                        "/api/v1/archived-workflows-label-values")) {
            routes.get(path, ctx -> unbuilt(ctx.path() + " is not built"));
        }
    }

    private static void unbuilt(String message) {
        throw new RefusedException(Code.UNIMPLEMENTED, message);
    }

    private ObjectNode version() {
        return Json.object()
                .put("version", COMPATIBLE_VERSION)
                .put("buildDate", "1970-01-01T00:00:00Z")
                .put("gitCommit", "millrace-" + version)
                .put("gitTag", COMPATIBLE_VERSION)
                .put("gitTreeState", "clean")
                .put("goVersion", "java" + Runtime.version().feature())
                .put("compiler", "javac")
                .put(
                        "platform",
                        System.getProperty("os.name", "unknown")
                                + "/"
                                + System.getProperty("os.arch", "unknown"))
                .put("millrace", version);
    }

    private ObjectNode info() {
        ObjectNode info = Json.object().put("managedNamespace", "");
        info.putArray("links");
        info.putObject("modals");
        info.put("navColor", "");
        info.putArray("columns");
        // Our own: what lint cannot know otherwise.
        ArrayNode known = info.putArray("executorPlugins");
        plugins.stream().sorted().forEach(known::add);
        return info;
    }

    private void ready(Context ctx) {
        Map<String, Health> components = readiness.components();
        ObjectNode answer = Json.object();
        boolean ready = components.values().stream().allMatch(Health::isReady);
        answer.put("ready", ready);
        ObjectNode list = answer.putObject("components");
        components.forEach((name, health) -> list.set(name, component(health)));
        ctx.status(ready ? 200 : 503);
        WorkflowRoutes.answer(ctx, answer);
    }

    private static ObjectNode component(Health health) {
        ObjectNode component = Json.object();
        return switch (health) {
            case Health.Ready() -> component.put("state", "ready");
            case Health.Starting(String what) ->
                    component.put("state", "starting").put("reason", what);
            case Health.Retrying(String what, var since) ->
                    component
                            .put("state", "retrying")
                            .put("reason", what)
                            .put("since", since.toString());
            case Health.LostRecords(String what, var since) ->
                    component
                            .put("state", "lost-records")
                            .put("reason", what)
                            .put("since", since.toString());
        };
    }
}
