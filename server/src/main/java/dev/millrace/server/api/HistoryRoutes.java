package dev.millrace.server.api;

import dev.millrace.log.plain.Positions;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.schemas.record.WorkflowTransition;
import dev.millrace.server.command.RefusedException;
import dev.millrace.server.history.WorkflowHistory;
import dev.millrace.server.readmodel.ReadModel;
import dev.millrace.server.readmodel.WorkflowRows.Row;
import dev.millrace.workflowengine.state.Evolution;
import dev.millrace.workflowengine.state.InMemoryWorkflow;
import dev.millrace.workflowengine.view.Moment;
import dev.millrace.workflowengine.view.PastWorkflow;
import dev.millrace.workflowengine.view.WhatHappened;
import dev.millrace.workflowengine.view.WorkflowView;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Our own: a workflow as it stood, and what it went through. */
final class HistoryRoutes {

    private static final String ONE = "/api/v1/millrace/workflows/{namespace}/{name}";
    private static final String ANNOTATION = "millrace.dev/";

    private final ReadModel model;
    private final WorkflowHistory history;
    private final InstantSource clock;

    HistoryRoutes(ReadModel model, WorkflowHistory history, InstantSource clock) {
        this.model = model;
        this.history = history;
        this.clock = clock;
    }

    void register(RoutesConfig routes) {
        routes.get(ONE, this::at);
        routes.get(ONE + "/history", this::history);
    }

    /** The object that clients know; annotations say which moment it shows. */
    private void at(Context ctx) {
        Query query = Query.of(ctx);
        Instant now = clock.instant();
        String text = query.text("at");
        Moment moment =
                Moment.parse(text, now)
                        .orElseThrow(
                                () ->
                                        RefusedException.invalid(
                                                "at=%s: the number of a transition, a time like 2026-01-31T12:00:00Z, or a span before now like 5m is expected"
                                                        .formatted(text)));
        Row row = WorkflowRoutes.find(ctx, model).row();
        PastWorkflow past = new PastWorkflow(moment);
        AtomicReference<Positions> version = new AtomicReference<>(Positions.START);
        AtomicReference<Instant> time = new AtomicReference<>(row.created());
        read(
                row,
                record -> {
                    WorkflowTransition transition = record.requiredValue();
                    if (past.add(transition)) {
                        version.set(new Positions(Map.of(record.partition(), record.offset() + 1)));
                        time.set(transition.now());
                    }
                });
        if (!past.isInRange(now)) {
            throw RefusedException.invalid(
                    "at=%s: workflow %s has %d transitions, from %s to %s"
                            .formatted(text, row.name(), past.count(), past.first(), past.last()));
        }
        ObjectNode view = WorkflowView.render(past.state(), version.get().toString());
        Instant shown =
                switch (moment) {
                    case Moment.AfterTransition _ -> time.get();
                    case Moment.At(var instant) -> instant;
                };
        view.withObject("/metadata")
                .withObject("/annotations")
                .put(ANNOTATION + "at-transition", Long.toString(past.number()))
                .put(ANNOTATION + "at-time", shown.toString())
                .put(ANNOTATION + "transitions", Long.toString(past.count()));
        WorkflowRoutes.answer(ctx, query.fields().apply(view));
    }

    private void history(Context ctx) {
        Row row = WorkflowRoutes.find(ctx, model).row();
        InMemoryWorkflow state = new InMemoryWorkflow();
        ArrayNode transitions = Json.mapper().createArrayNode();
        read(
                row,
                record -> {
                    WorkflowTransition transition = record.requiredValue();
                    ArrayNode events =
                            transitions
                                    .addObject()
                                    .put("number", transitions.size())
                                    .put("time", transition.now().toString())
                                    .putArray("events");
                    for (WorkflowEvent event : transition.events()) {
                        WhatHappened.line(state, event).ifPresent(events::add);
                        Evolution.apply(state, row.namespace(), row.name(), event);
                    }
                });
        ObjectNode answer =
                Json.object()
                        .put("namespace", row.namespace())
                        .put("name", row.name())
                        .put("uid", row.uid());
        answer.set("transitions", transitions);
        WorkflowRoutes.answer(ctx, answer);
    }

    private void read(Row row, WorkflowHistory.Reader reader) {
        if (!history.read(row, reader)) {
            throw RefusedException.notFound("workflows", row.name());
        }
    }
}
