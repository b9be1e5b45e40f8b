package dev.millrace.server.api;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.manifest.Kind;
import dev.millrace.schemas.manifest.Problem;
import dev.millrace.server.command.RefusedException;
import dev.millrace.server.manifests.Application;
import dev.millrace.server.manifests.ManifestStore;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.function.UnaryOperator;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code POST /api/v1/manifests} applies documents of all kinds, each by itself; {@code GET} and
 * {@code DELETE /api/v1/manifests/{kind}/{namespace}/{name}} show and delete one. The caches of
 * memoized templates are ConfigMaps, so this is how they are looked at and cleared.
 */
final class ManifestRoutes {

    private static final String ONE = "/api/v1/manifests/{kind}/{namespace}/{name}";

    private final Application application;
    private final ManifestStore manifests;

    ManifestRoutes(Application application, ManifestStore manifests) {
        this.application = application;
        this.manifests = manifests;
    }

    void register(RoutesConfig routes) {
        routes.post("/api/v1/manifests", this::apply);
        routes.get(ONE, this::get);
        routes.delete(ONE, this::delete);
    }

    private void get(Context ctx) {
        Kind kind = kind(ctx);
        if (kind == Kind.SECRET) {
            throw RefusedException.invalid("kind: the values of Secrets are not shown");
        }
        String name = ctx.pathParam("name");
        manifests.awaitOwnWrites();
        WorkflowRoutes.answer(
                ctx,
                ManifestStore.render(
                        manifests
                                .find(kind, namespace(ctx, kind), name)
                                .orElseThrow(() -> ManifestStore.notFound(kind, name))));
    }

    private void delete(Context ctx) {
        Kind kind = kind(ctx);
        manifests.delete(kind, namespace(ctx, kind), ctx.pathParam("name"));
        WorkflowRoutes.answer(ctx, Json.object());
    }

    private static String namespace(Context ctx, Kind kind) {
        return kind.isNamespaced() ? ctx.pathParam("namespace") : "";
    }

    private static Kind kind(Context ctx) {
        String text = ctx.pathParam("kind");
        for (Kind kind : Kind.values()) {
            if (kind != Kind.WORKFLOW && kind.yamlName().equalsIgnoreCase(text)) {
                return kind;
            }
        }
        throw RefusedException.invalid(
                "kind: '" + text + "' is no kind of manifest, such as ConfigMap or Sensor");
    }

    private void apply(Context ctx) {
        String source = Query.of(ctx).text("source");
        Application.Report report =
                application.apply(source.isEmpty() ? "body" : source, Bodies.text(ctx), _ -> true);
        ObjectNode answer = Json.object();
        ArrayNode results = answer.putArray("results");
        for (Application.Result result : report.results()) {
            ObjectNode entry = results.addObject();
            entry.put("kind", result.kind().yamlName());
            if (!result.namespace().isEmpty()) {
                entry.put("namespace", result.namespace());
            }
            entry.put("name", result.name());
            entry.put("outcome", result.outcome());
            entry.set("problems", ErrorBody.problems(result.problems(), UnaryOperator.identity()));
        }
        answer.set("problems", ErrorBody.problems(report.problems(), UnaryOperator.identity()));
        if (report.hasErrors()) {
            String message = message(report);
            answer.setAll(ErrorBody.of(3, message));
            ctx.status(400);
        }
        WorkflowRoutes.answer(ctx, answer);
    }

    private static String message(Application.Report report) {
        List<Problem> all =
                java.util.stream.Stream.concat(
                                report.results().stream().flatMap(r -> r.problems().stream()),
                                report.problems().stream())
                        .filter(Problem::isError)
                        .toList();
        return all.stream()
                .map(Problem::toString)
                .collect(java.util.stream.Collectors.joining("\n"));
    }
}
