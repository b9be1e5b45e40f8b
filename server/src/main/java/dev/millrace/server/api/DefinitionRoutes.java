package dev.millrace.server.api;

import dev.millrace.log.plain.ManifestLog.Stored;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.manifest.Kind;
import dev.millrace.schemas.manifest.Manifest;
import dev.millrace.server.command.RefusedException;
import dev.millrace.server.command.WorkflowSubmission;
import dev.millrace.server.manifests.ManifestStore;
import dev.millrace.server.readmodel.EventRows;
import dev.millrace.server.readmodel.ReadModel;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Stored objects of one kind: list, get, create, update, delete, lint, all in the same shapes. */
final class DefinitionRoutes {

    private final Kind kind;
    private final String plural;
    private final String member;
    private final ManifestStore store;
    private final WorkflowSubmission submission;
    private final ReadModel model;

    /**
     * @param plural the kind in addresses
     * @param member the object's member in messages
     */
    DefinitionRoutes(
            Kind kind,
            String plural,
            String member,
            ManifestStore store,
            WorkflowSubmission submission,
            ReadModel model) {
        this.kind = kind;
        this.plural = plural;
        this.member = member;
        this.store = store;
        this.submission = submission;
        this.model = model;
    }

    void register(RoutesConfig routes) {
        String all = "/api/v1/" + plural;
        routes.get(all, this::list);
        String list = kind.isNamespaced() ? all + "/{namespace}" : all;
        if (kind.isNamespaced()) {
            routes.get(list, this::list);
        }
        routes.post(list, this::create);
        routes.post(list + "/lint", this::lint);
        routes.get(list + "/{name}", this::get);
        routes.put(list + "/{name}", this::update);
        routes.delete(list + "/{name}", this::delete);
        if (kind == Kind.CRON_WORKFLOW) {
            routes.put(list + "/{name}/suspend", ctx -> suspend(ctx, true));
            routes.put(list + "/{name}/resume", ctx -> suspend(ctx, false));
        }
    }

    private void list(Context ctx) {
        Query query = Query.of(ctx);
        LabelSelector labels = LabelSelector.parse(query.text("listOptions.labelSelector"));
        FieldSelector fields = FieldSelector.parse(query.text("listOptions.fieldSelector"));
        String pattern = query.text("namePattern");
        List<ObjectNode> selected =
                store.list(kind, namespace(ctx)).stream()
                        .filter(s -> s.key().name().contains(pattern))
                        .filter(s -> fields.matches(field -> value(s, field)))
                        .map(this::render)
                        // A status may add labels.
                        .filter(object -> labels.matches(labels(object)))
                        .toList();
        Query.Page<ObjectNode> page = Query.Page.of(selected, query.skip(), query.limit());
        ObjectNode list = Json.object();
        list.set("metadata", WorkflowRoutes.metadata(Long.toString(store.version()), page));
        list.putArray("items").addAll(page.items());
        WorkflowRoutes.answer(ctx, query.fields().apply(list));
    }

    private void get(Context ctx) {
        String name = ctx.pathParam("name");
        Stored stored =
                store.find(kind, namespace(ctx), name)
                        .orElseThrow(() -> ManifestStore.notFound(kind, name));
        WorkflowRoutes.answer(ctx, Query.of(ctx).fields().apply(render(stored)));
    }

    private void create(Context ctx) {
        ObjectNode body = Bodies.object(ctx);
        Manifest manifest = checked(ctx, body);
        WorkflowRoutes.answer(
                ctx,
                body.path("createOptions").path("dryRun").isEmpty()
                        ? render(store.create(manifest))
                        : manifest.tree());
    }

    private void update(Context ctx) {
        ObjectNode body = Bodies.object(ctx);
        JsonNode sent = Bodies.wrapped(body, member);
        Manifest manifest = checked(ctx, body);
        String name = ctx.pathParam("name");
        if (!name.equals(manifest.name())) {
            throw RefusedException.invalid(
                    "metadata.name is %s, but the request is for %s; write the same in both"
                            .formatted(manifest.name(), name));
        }
        String version = sent.path("metadata").path("resourceVersion").asString("");
        WorkflowRoutes.answer(ctx, render(store.update(manifest, version)));
    }

    private void delete(Context ctx) {
        store.delete(kind, namespace(ctx), ctx.pathParam("name"));
        WorkflowRoutes.answer(ctx, Json.object());
    }

    private void suspend(Context ctx, boolean suspended) {
        WorkflowRoutes.answer(
                ctx, render(store.suspendCron(namespace(ctx), ctx.pathParam("name"), suspended)));
    }

    private void lint(Context ctx) {
        WorkflowRoutes.answer(ctx, submission.lint(tree(ctx, Bodies.object(ctx))).tree());
    }

    private Manifest checked(Context ctx, ObjectNode body) {
        return submission.storable(tree(ctx, body));
    }

    private ObjectNode tree(Context ctx, ObjectNode body) {
        return WorkflowSubmission.normalized(Bodies.wrapped(body, member), kind, namespace(ctx));
    }

    /** Sources, sensors and CronWorkflows with the status that whoever runs them gave. */
    private ObjectNode render(Stored stored) {
        ObjectNode object = ManifestStore.render(stored);
        model.read(
                        handle ->
                                EventRows.in(handle)
                                        .status(
                                                kind.yamlName(),
                                                stored.key().namespace(),
                                                stored.key().name()))
                .ifPresent(
                        status -> {
                            if (kind == Kind.CRON_WORKFLOW) {
                                CronView.show(object, status);
                                return;
                            }
                            ObjectNode shown = object.putObject("status");
                            shown.set("conditions", status.path("conditions"));
                            shown.set("entries", status.path("entries"));
                            // A status of an older version says nothing about this one.
                            shown.put(
                                    "observedVersion",
                                    status.path("manifestVersion").asString("0"));
                        });
        return object;
    }

    private String namespace(Context ctx) {
        return kind.isNamespaced() ? ctx.pathParamMap().getOrDefault("namespace", "") : "";
    }

    private static Map<String, String> labels(JsonNode manifest) {
        Map<String, String> labels = new HashMap<>();
        manifest.path("metadata")
                .path("labels")
                .properties()
                .forEach(label -> labels.put(label.getKey(), label.getValue().asString("")));
        return labels;
    }

    private static String value(Stored stored, String field) {
        return switch (field) {
            case "metadata.name" -> stored.key().name();
            case "metadata.namespace" -> stored.key().namespace();
            default -> "";
        };
    }
}
