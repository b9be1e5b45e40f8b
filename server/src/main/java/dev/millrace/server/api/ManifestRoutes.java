package dev.millrace.server.api;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.manifest.Problem;
import dev.millrace.server.manifests.Application;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.function.UnaryOperator;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code POST /api/v1/manifests}: applies documents of all kinds, each by itself. */
final class ManifestRoutes {

    private final Application application;

    ManifestRoutes(Application application) {
        this.application = application;
    }

    void register(RoutesConfig routes) {
        routes.post("/api/v1/manifests", this::apply);
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
