package dev.millrace.server.api;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.manifest.Problem;
import dev.millrace.server.manifests.Application;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import tools.jackson.databind.JsonNode;
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
            entry.set("problems", problems(result.problems()));
        }
        answer.set("problems", problems(report.problems()));
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

    private static JsonNode problems(List<Problem> problems) {
        ArrayNode list = Json.mapper().createArrayNode();
        for (Problem problem : problems) {
            ObjectNode entry = list.addObject();
            entry.put("severity", problem.severity().name().toLowerCase(java.util.Locale.ROOT));
            entry.put("source", problem.place().source());
            entry.put("line", problem.place().line());
            entry.put("column", problem.place().column());
            entry.put("path", problem.path());
            entry.put("message", problem.message());
            entry.put("hint", problem.hint());
            entry.put("text", problem.toString());
        }
        return list;
    }
}
