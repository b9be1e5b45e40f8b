package dev.millrace.server.api;

import dev.millrace.executors.LogStore;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.manifest.Kind;
import dev.millrace.schemas.record.Carried;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.ShutdownStrategy;
import dev.millrace.schemas.record.WorkflowCommand;
import dev.millrace.server.command.CommandIds;
import dev.millrace.server.command.FromTemplate;
import dev.millrace.server.command.RefusedException;
import dev.millrace.server.command.Resubmission;
import dev.millrace.server.command.WorkflowCommands;
import dev.millrace.server.command.WorkflowSubmission;
import dev.millrace.server.readmodel.ReadModel;
import dev.millrace.server.readmodel.RowCondition;
import dev.millrace.server.readmodel.WorkflowChanges;
import dev.millrace.server.readmodel.WorkflowRows;
import dev.millrace.server.readmodel.WorkflowRows.Found;
import dev.millrace.server.readmodel.WorkflowRows.Row;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code /api/v1/workflows} and its streams. */
final class WorkflowRoutes {

    private static final String ALL = "/api/v1/workflows";
    private static final String LIST = ALL + "/{namespace}";
    private static final String ONE = LIST + "/{name}";

    private final ReadModel model;
    private final WorkflowChanges changes;
    private final WorkflowCommands commands;
    private final WorkflowSubmission submission;
    private final FromTemplate fromTemplate;
    private final LogStore logs;
    private final InstantSource clock;
    private final OpenStreams streams;
    private final UnaryOperator<String> redact;

    WorkflowRoutes(
            ReadModel model,
            WorkflowChanges changes,
            WorkflowCommands commands,
            WorkflowSubmission submission,
            FromTemplate fromTemplate,
            LogStore logs,
            InstantSource clock,
            OpenStreams streams,
            UnaryOperator<String> redact) {
        this.redact = redact;
        this.model = model;
        this.changes = changes;
        this.commands = commands;
        this.submission = submission;
        this.fromTemplate = fromTemplate;
        this.logs = logs;
        this.clock = clock;
        this.streams = streams;
    }

    void register(RoutesConfig routes) {
        routes.get(ALL, ctx -> list(ctx, ""));
        routes.get(LIST, ctx -> list(ctx, ctx.pathParam("namespace")));
        routes.post(LIST, this::create);
        routes.post(LIST + "/lint", this::lint);
        routes.post(LIST + "/submit", this::submit);
        routes.get(ONE, this::get);
        routes.delete(ONE, this::delete);
        routes.put(ONE + "/stop", ctx -> shutdown(ctx, ShutdownStrategy.STOP));
        routes.put(ONE + "/terminate", ctx -> shutdown(ctx, ShutdownStrategy.TERMINATE));
        routes.put(
                ONE + "/suspend",
                ctx -> act(ctx, id -> new WorkflowCommand.Suspend(id, namespace(ctx), name(ctx))));
        routes.put(ONE + "/resume", this::resume);
        routes.put(ONE + "/set", this::set);
        routes.put(ONE + "/resubmit", this::resubmit);
        routes.put(ONE + "/retry", this::retry);
        routes.get(ONE + "/log", ctx -> log(ctx, Query.of(ctx).text("podName")));
        routes.get(ONE + "/{pod}/log", ctx -> log(ctx, ctx.pathParam("pod")));
        routes.get("/api/v1/workflow-events", ctx -> watch(ctx, ""));
        routes.get(
                "/api/v1/workflow-events/{namespace}",
                ctx -> watch(ctx, ctx.pathParam("namespace")));
    }

    private void list(Context ctx, String namespace) {
        Query query = Query.of(ctx);
        Query.Selection selection = query.selection();
        FieldFilter fields = query.fields();
        model.read(
                handle -> {
                    WorkflowRows rows = WorkflowRows.in(handle);
                    RowCondition condition = selection.condition();
                    Query.Page<Row> page =
                            Query.Page.of(
                                    rows.list(
                                            namespace,
                                            condition,
                                            query.skip(),
                                            query.limit().orElse(-1)),
                                    query.skip(),
                                    rows.count(namespace, condition));
                    boolean nodes = fields.keeps("items", "status", "nodes");
                    stream(
                            ctx,
                            fields,
                            out -> {
                                out.writeStartObject();
                                out.writeName("metadata");
                                out.writeTree(metadata(rows.version().toString(), page));
                                out.writeName("items");
                                out.writeStartArray();
                                for (Row row : page.items()) {
                                    rows.open(row.namespace(), row.name())
                                            .ifPresent(found -> found.write(nodes, out));
                                }
                                out.writeEndArray();
                                out.writeEndObject();
                            });
                    return page;
                });
    }

    /** What lists say of themselves. */
    static ObjectNode metadata(String version, Query.Page<?> page) {
        ObjectNode metadata = Json.object().put("resourceVersion", version);
        if (!page.next().isEmpty()) {
            metadata.put("continue", page.next()).put("remainingItemCount", page.remaining());
        }
        return metadata;
    }

    private void get(Context ctx) {
        Query query = Query.of(ctx);
        String uid = query.text("uid");
        FieldFilter fields = query.fields();
        model.read(
                handle -> {
                    Found found =
                            find(ctx, WorkflowRows.in(handle))
                                    .filter(f -> uid.isEmpty() || uid.equals(f.row().uid()))
                                    .orElseThrow(
                                            () ->
                                                    RefusedException.notFound(
                                                            "workflows", name(ctx)));
                    boolean nodes = fields.keeps("status", "nodes");
                    stream(ctx, fields, out -> found.write(nodes, out));
                    return found.row();
                });
    }

    /** Piece by piece, so that a large workflow takes no more memory than a small one. */
    static void stream(Context ctx, FieldFilter fields, Consumer<JsonGenerator> body) {
        try (JsonGenerator out = fields.filtering(generator(ctx))) {
            body.accept(out);
        }
    }

    /** Writes the answer. One that an error cuts short stays so: it must not look whole. */
    static JsonGenerator generator(Context ctx) {
        ctx.contentType("application/json");
        return Json.mapper()
                .writer()
                .withoutFeatures(StreamWriteFeature.AUTO_CLOSE_CONTENT)
                .createGenerator(ctx.outputStream());
    }

    private void create(Context ctx) {
        ObjectNode body = Bodies.object(ctx);
        ObjectNode tree =
                WorkflowSubmission.normalized(
                        Bodies.wrapped(body, "workflow"), Kind.WORKFLOW, namespace(ctx));
        boolean dryRun =
                body.path("serverDryRun").asBoolean(false)
                        || !body.path("createOptions").path("dryRun").isEmpty();
        start(ctx, tree, dryRun);
    }

    private void submit(Context ctx) {
        ObjectNode body = Bodies.object(ctx);
        ObjectNode tree = fromTemplate.workflow(namespace(ctx), body);
        JsonNode options = body.path("submitOptions");
        start(
                ctx,
                tree,
                options.path("dryRun").asBoolean(false)
                        || options.path("serverDryRun").asBoolean(false));
    }

    private void start(Context ctx, ObjectNode tree, boolean dryRun) {
        WorkflowCommand.Submit command = submission.command(tree, commandId(ctx), null);
        if (dryRun) {
            answer(ctx, command.manifest());
            return;
        }
        commands.execute(command);
        answer(ctx, submitted(command));
    }

    private void lint(Context ctx) {
        ObjectNode tree =
                WorkflowSubmission.normalized(
                        Bodies.wrapped(Bodies.object(ctx), "workflow"),
                        Kind.WORKFLOW,
                        namespace(ctx));
        submission.lint(tree);
        answer(ctx, tree);
    }

    private void delete(Context ctx) {
        commands.execute(new WorkflowCommand.Delete(commandId(ctx), namespace(ctx), name(ctx)));
        answer(ctx, Json.object());
    }

    private void shutdown(Context ctx, ShutdownStrategy strategy) {
        ObjectNode body = Bodies.object(ctx);
        act(
                ctx,
                id ->
                        new WorkflowCommand.Shutdown(
                                id,
                                namespace(ctx),
                                name(ctx),
                                strategy,
                                text(body, "nodeFieldSelector"),
                                text(body, "message")));
    }

    private void resume(Context ctx) {
        ObjectNode body = Bodies.object(ctx);
        act(
                ctx,
                id ->
                        new WorkflowCommand.Resume(
                                id,
                                namespace(ctx),
                                name(ctx),
                                text(body, "nodeFieldSelector"),
                                null));
    }

    private void set(Context ctx) {
        ObjectNode body = Bodies.object(ctx);
        Map<String, String> outputs = outputs(body.path("outputParameters").asString(""));
        String phase = body.path("phase").asString("");
        act(
                ctx,
                id ->
                        new WorkflowCommand.SetNode(
                                id,
                                namespace(ctx),
                                name(ctx),
                                text(body, "nodeFieldSelector"),
                                outputs,
                                text(body, "message"),
                                phase.isEmpty() ? null : phase(phase)));
    }

    /** Values by name, as JSON text. */
    private static Map<String, String> outputs(String json) {
        Map<String, String> outputs = new LinkedHashMap<>();
        if (json.isEmpty()) {
            return outputs;
        }
        try {
            if (Json.mapper().readTree(json) instanceof ObjectNode values) {
                values.properties()
                        .forEach(
                                v ->
                                        outputs.put(
                                                v.getKey(),
                                                v.getValue().isString()
                                                        ? v.getValue().stringValue()
                                                        : v.getValue().toString()));
                return outputs;
            }
        } catch (JacksonException e) {
            throw RefusedException.invalid(
                    "outputParameters is not JSON: " + e.getOriginalMessage());
        }
        throw RefusedException.invalid(
                "outputParameters: a JSON object is expected, such as {\"name\":\"value\"}");
    }

    private static NodePhase phase(String text) {
        try {
            return Json.convert(Json.mapper().getNodeFactory().stringNode(text), NodePhase.class);
        } catch (JacksonException e) {
            throw RefusedException.invalid(
                    "phase=" + text + ": Succeeded, Failed or Error is expected");
        }
    }

    private void resubmit(Context ctx) {
        ObjectNode body = Bodies.object(ctx);
        Found old = find(ctx, model);
        Map<String, Carried> done =
                body.path("memoized").asBoolean(false) ? Resubmission.done(old.state()) : Map.of();
        WorkflowCommand.Submit command =
                submission
                        .command(
                                Resubmission.of(old.render(), body.path("parameters")),
                                commandId(ctx),
                                null)
                        .carrying(done);
        commands.execute(command);
        answer(ctx, submitted(command));
    }

    private void retry(Context ctx) {
        ObjectNode body = Bodies.object(ctx);
        Map<String, String> parameters =
                Resubmission.parameters(Resubmission.texts(body.path("parameters")));
        act(
                ctx,
                id ->
                        new WorkflowCommand.Retry(
                                id,
                                namespace(ctx),
                                name(ctx),
                                body.path("restartSuccessful").asBoolean(false),
                                text(body, "nodeFieldSelector"),
                                parameters));
    }

    private void watch(Context ctx, String namespace) {
        Query query = Query.of(ctx);
        var since = WorkflowWatch.since(query.text("listOptions.resourceVersion"));
        WorkflowWatch watch =
                new WorkflowWatch(model, namespace, query.selection(), query.fields());
        streams.run(ctx, stream -> watch.run(stream, changes, since));
    }

    private void log(Context ctx, String step) {
        Found found = find(ctx, model);
        WorkflowLog log =
                new WorkflowLog(
                        LogRequest.of(
                                found.row().namespace(),
                                found.row().name(),
                                step,
                                Query.of(ctx),
                                clock.instant()),
                        model,
                        logs,
                        redact);
        log.check(found);
        streams.run(ctx, stream -> log.run(stream, changes));
    }

    /** Makes a command of an id. */
    private interface Order {
        WorkflowCommand of(String commandId);
    }

    private void act(Context ctx, Order order) {
        commands.execute(order.of(commandId(ctx)));
        answer(ctx, workflow(namespace(ctx), name(ctx)));
    }

    private JsonNode workflow(String namespace, String name) {
        return stored(namespace, name)
                .orElseThrow(() -> RefusedException.notFound("workflows", name))
                .render();
    }

    private Optional<Found> stored(String namespace, String name) {
        return model.read(handle -> WorkflowRows.in(handle).find(namespace, name));
    }

    /** A short one without a time to live may have come and gone already. */
    private JsonNode submitted(WorkflowCommand.Submit command) {
        Optional<Found> found = stored(command.namespace(), command.name());
        if (found.isPresent()) {
            return found.get().render();
        }
        JsonNode manifest = command.manifest().deepCopy();
        manifest.withObject("/metadata").put("uid", command.uid());
        return manifest;
    }

    /** {@code @latest} is the newest one. */
    static Found find(Context ctx, ReadModel model) {
        String name = name(ctx);
        return model.read(
                        handle -> {
                            WorkflowRows rows = WorkflowRows.in(handle);
                            return chosen(ctx, rows, name)
                                    .flatMap(n -> rows.find(namespace(ctx), n));
                        })
                .orElseThrow(() -> RefusedException.notFound("workflows", name));
    }

    /** The same without its nodes. */
    static Row row(Context ctx, ReadModel model) {
        String name = name(ctx);
        return model.read(
                        handle -> {
                            WorkflowRows rows = WorkflowRows.in(handle);
                            return chosen(ctx, rows, name)
                                    .flatMap(n -> rows.row(namespace(ctx), n));
                        })
                .orElseThrow(() -> RefusedException.notFound("workflows", name));
    }

    /** The same, to be read while the transaction lasts. */
    private static Optional<Found> find(Context ctx, WorkflowRows rows) {
        return chosen(ctx, rows, name(ctx)).flatMap(n -> rows.open(namespace(ctx), n));
    }

    private static Optional<String> chosen(Context ctx, WorkflowRows rows, String name) {
        return name.equals("@latest")
                ? rows.latest(namespace(ctx)).map(Row::name)
                : Optional.of(name);
    }

    private static String namespace(Context ctx) {
        return ctx.pathParam("namespace");
    }

    private static String name(Context ctx) {
        return ctx.pathParam("name");
    }

    private static String commandId(Context ctx) {
        String given = ctx.header(CommandIds.HEADER);
        return given == null || given.isBlank() ? CommandIds.random() : given.strip();
    }

    private static @Nullable String text(ObjectNode body, String member) {
        String value = body.path(member).asString("");
        return value.isEmpty() ? null : value;
    }

    static void answer(Context ctx, JsonNode json) {
        ctx.contentType("application/json").result(json.toString());
    }
}
