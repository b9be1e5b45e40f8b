package dev.millrace.server.api;

import dev.millrace.schemas.Json;
import dev.millrace.server.command.RefusedException;
import dev.millrace.server.command.RefusedException.Code;
import dev.millrace.server.readmodel.EventRows;
import dev.millrace.server.readmodel.ReadModel;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Our own: events with what became of them, and dead letters. */
final class EventRoutes {

    private static final int PAGE = 100;

    private final ReadModel model;

    EventRoutes(ReadModel model) {
        this.model = model;
    }

    void register(RoutesConfig routes) {
        routes.get("/api/v1/millrace/events", this::list);
        routes.get("/api/v1/millrace/events/{id}", this::show);
        routes.get("/api/v1/millrace/dead-letters", this::deadLetters);
    }

    private void list(Context ctx) {
        Query query = Query.of(ctx);
        int limit = query.number("limit").orElse(PAGE);
        int skip = query.number("continue").orElse(0);
        WorkflowRoutes.answer(
                ctx,
                page(
                        model.read(
                                handle ->
                                        EventRows.in(handle)
                                                .list(
                                                        query.text("namespace"),
                                                        query.text("source"),
                                                        limit + 1,
                                                        skip)),
                        limit,
                        skip));
    }

    private void show(Context ctx) {
        String id = ctx.pathParam("id");
        WorkflowRoutes.answer(
                ctx,
                model.read(handle -> EventRows.in(handle).find(id))
                        .orElseThrow(
                                () ->
                                        new RefusedException(
                                                Code.NOT_FOUND,
                                                "event \""
                                                        + id
                                                        + "\" not found; the log may have dropped it by its age")));
    }

    private void deadLetters(Context ctx) {
        Query query = Query.of(ctx);
        int limit = query.number("limit").orElse(PAGE);
        int skip = query.number("continue").orElse(0);
        WorkflowRoutes.answer(
                ctx,
                page(
                        model.read(handle -> EventRows.in(handle).deadLetters(limit + 1, skip)),
                        limit,
                        skip));
    }

    /** One more than asked for tells that there is more. */
    private static ObjectNode page(ArrayNode items, int limit, int skip) {
        ObjectNode page = Json.object();
        ObjectNode metadata = page.putObject("metadata");
        if (items.size() > limit) {
            items.remove(items.size() - 1);
            metadata.put("continue", Integer.toString(skip + limit));
        }
        page.set("items", items);
        return page;
    }
}
