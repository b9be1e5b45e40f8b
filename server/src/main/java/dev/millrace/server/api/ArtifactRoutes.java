package dev.millrace.server.api;

import dev.millrace.executors.artifact.ArtifactException;
import dev.millrace.executors.artifact.ArtifactMissingException;
import dev.millrace.executors.artifact.ArtifactPlace;
import dev.millrace.executors.artifact.ArtifactStore.Content;
import dev.millrace.executors.artifact.ArtifactStores;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.workflow.Artifact;
import dev.millrace.server.command.RefusedException;
import dev.millrace.server.command.RefusedException.Code;
import dev.millrace.server.readmodel.ReadModel;
import dev.millrace.server.readmodel.WorkflowRows;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.io.InputStream;
import java.util.List;
import java.util.function.UnaryOperator;
import tools.jackson.databind.node.ArrayNode;

/**
 * Artifacts to look at and to take away. What a step stored is nobody's to trust: pages among it
 * run nothing, and reach nothing of this server.
 */
final class ArtifactRoutes {
    private static final String POLICY =
            "sandbox; base-uri 'none'; default-src 'none'; img-src 'self'; style-src 'self' 'unsafe-inline'";
    private static final String FILES =
            "/artifact-files/{namespace}/{kind}/{workflow}/{node}/{direction}/{artifact}";

    private final ReadModel model;
    private final ArtifactStores stores;
    private final UnaryOperator<String> redact;

    ArtifactRoutes(ReadModel model, ArtifactStores stores, UnaryOperator<String> redact) {
        this.model = model;
        this.stores = stores;
        this.redact = redact;
    }

    void register(RoutesConfig routes) {
        routes.get(
                "/artifacts/{namespace}/{workflow}/{node}/{artifact}",
                ctx -> download(ctx, byName(ctx), false));
        routes.get(
                "/input-artifacts/{namespace}/{workflow}/{node}/{artifact}",
                ctx -> download(ctx, byName(ctx), true));
        routes.get(
                "/artifacts-by-uid/{uid}/{node}/{artifact}",
                ctx -> download(ctx, byUid(ctx.pathParam("uid")), false));
        routes.get(
                "/input-artifacts-by-uid/{uid}/{node}/{artifact}",
                ctx -> download(ctx, byUid(ctx.pathParam("uid")), true));
        routes.get(FILES, ctx -> browse(ctx, ""));
        routes.get(FILES + "/<path>", ctx -> browse(ctx, ctx.pathParam("path")));
        routes.exception(ArtifactException.class, this::failed);
    }

    /** A workflow by its name. */
    private record Named(String namespace, String name) {}

    private static Named byName(Context ctx) {
        return new Named(ctx.pathParam("namespace"), ctx.pathParam("workflow"));
    }

    private Named byUid(String uid) {
        return model.read(handle -> WorkflowRows.in(handle).byUid(uid))
                .map(row -> new Named(row.namespace(), row.name()))
                .orElseThrow(() -> notFound("there is no workflow with the UID " + uid));
    }

    private void download(Context ctx, Named workflow, boolean input) throws ArtifactException {
        Artifact artifact = artifact(ctx, workflow, input);
        try (Opened opened = new Opened(stores.open(workflow.namespace(), artifact))) {
            if (opened.place.store().look(opened.place.key()) == Content.FOLDER) {
                ctx.header(
                        "Location",
                        "/artifact-files/%s/workflows/%s/%s/%s/%s/"
                                .formatted(
                                        segment(workflow.namespace()),
                                        segment(workflow.name()),
                                        segment(ctx.pathParam("node")),
                                        input ? "inputs" : "outputs",
                                        segment(artifact.name())));
                ctx.status(307);
                return;
            }
            send(ctx, opened, opened.place.key(), artifact.name());
        }
    }

    private static String segment(String text) {
        return java.net.URLEncoder.encode(text, java.nio.charset.StandardCharsets.UTF_8)
                .replace("+", "%20");
    }

    private void browse(Context ctx, String path) throws ArtifactException {
        boolean input =
                switch (ctx.pathParam("direction")) {
                    case "inputs" -> true;
                    case "outputs" -> false;
                    default -> throw notFound("after the node, inputs or outputs is expected");
                };
        Named workflow =
                switch (ctx.pathParam("kind")) {
                    case "workflows" -> byName(ctx);
                    case "archived-workflows" -> byUid(ctx.pathParam("workflow"));
                    default ->
                            throw notFound(
                                    "after the namespace, workflows or archived-workflows is expected");
                };
        Artifact artifact = artifact(ctx, workflow, input);
        try (Opened opened = new Opened(stores.open(workflow.namespace(), artifact))) {
            String key = path.isEmpty() ? opened.place.key() : opened.below(path);
            if (opened.place.store().look(key) == Content.FOLDER) {
                index(ctx, opened, key);
            } else {
                send(ctx, opened, key, artifact.name());
            }
        }
    }

    private static void index(Context ctx, Opened opened, String key) throws ArtifactException {
        List<String> files = opened.place.store().list(key);
        if (ctx.header("Accept") instanceof String accept && accept.contains("application/json")) {
            ArrayNode all = Json.mapper().createArrayNode();
            files.forEach(all::add);
            ctx.contentType("application/json").result(all.toString());
            return;
        }
        // Else the links of the page would lead beside the folder.
        if (!ctx.path().endsWith("/")) {
            ctx.header("Location", ctx.req().getRequestURI() + "/");
            ctx.status(307);
            return;
        }
        if (files.contains("index.html")) {
            ctx.header("Location", ctx.req().getRequestURI() + "index.html");
            ctx.status(307);
            return;
        }
        protect(ctx);
        ctx.contentType("text/html; charset=utf-8")
                .result(ArtifactIndex.page(ctx.pathParam("artifact"), files));
    }

    private static void send(Context ctx, Opened opened, String key, String name)
            throws ArtifactException {
        InputStream content = opened.place.store().open(key);
        String file = key.isEmpty() ? name : key.substring(key.lastIndexOf('/') + 1);
        protect(ctx);
        ctx.header("Content-Disposition", ArtifactIndex.disposition(file));
        ctx.contentType(ArtifactIndex.type(file));
        // The web server closes it when all is sent, or the client is gone.
        ctx.result(opened.handOver(content));
    }

    private static void protect(Context ctx) {
        ctx.header("Content-Security-Policy", POLICY);
        ctx.header("X-Frame-Options", "SAMEORIGIN");
    }

    private Artifact artifact(Context ctx, Named workflow, boolean input) {
        String id = ctx.pathParam("node");
        String name = ctx.pathParam("artifact");
        Node node =
                model.read(
                                handle ->
                                        WorkflowRows.in(handle)
                                                .node(workflow.namespace(), workflow.name(), id))
                        .orElseThrow(
                                () ->
                                        notFound(
                                                "workflow %s/%s has no node %s"
                                                        .formatted(
                                                                workflow.namespace(),
                                                                workflow.name(),
                                                                id)));
        Artifact found =
                artifacts(node, input).stream()
                        .filter(a -> a.name().equals(name))
                        .findFirst()
                        .orElseThrow(
                                () ->
                                        notFound(
                                                "node %s has no %s artifact %s"
                                                        .formatted(
                                                                id,
                                                                input ? "input" : "output",
                                                                name)));
        if (Boolean.TRUE.equals(found.deleted())) {
            throw notFound("artifact %s was deleted".formatted(name));
        }
        return found;
    }

    private static List<Artifact> artifacts(Node node, boolean input) {
        if (input) {
            return node.inputs() == null ? List.of() : node.inputs().artifacts();
        }
        return node.outputs() == null ? List.of() : node.outputs().artifacts();
    }

    private static RefusedException notFound(String message) {
        return new RefusedException(Code.NOT_FOUND, message);
    }

    private void failed(ArtifactException e, Context ctx) {
        ctx.status(e instanceof ArtifactMissingException ? 404 : 502)
                .contentType("text/plain; charset=utf-8")
                .result(redact.apply(e.reason()));
    }

    /** A store that is closed with what is read from it. */
    private static final class Opened implements AutoCloseable {
        final ArtifactPlace place;
        private boolean handedOver;

        Opened(ArtifactPlace place) {
            this.place = place;
        }

        String below(String path) {
            return place.key() + (place.key().endsWith("/") ? "" : "/") + path;
        }

        InputStream handOver(InputStream content) {
            handedOver = true;
            return new ClosingStream(content, place);
        }

        @Override
        public void close() {
            if (!handedOver) {
                place.close();
            }
        }
    }
}
