package dev.millrace.server.api;

import dev.millrace.log.LogRecord;
import dev.millrace.log.plain.Positions;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.schemas.record.WorkflowTransition;
import dev.millrace.server.command.RefusedException;
import dev.millrace.server.history.WorkflowHistory;
import dev.millrace.server.readmodel.FoldedWorkflow;
import dev.millrace.server.readmodel.ReadModel;
import dev.millrace.server.readmodel.WorkflowRows.Row;
import dev.millrace.workflowengine.state.Evolution;
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
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
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
        Row row = WorkflowRoutes.row(ctx, model);
        try (FoldedWorkflow folded = FoldedWorkflow.open(row.namespace(), row.name())) {
            PastWorkflow past = new PastWorkflow(moment, folded.state());
            AtomicReference<Positions> version = new AtomicReference<>(Positions.START);
            AtomicReference<Instant> time = new AtomicReference<>(row.created());
            read(
                    row,
                    record -> {
                        if (past.add(record.requiredValue())) {
                            folded.took(record);
                            version.set(
                                    new Positions(Map.of(record.partition(), record.offset() + 1)));
                            time.set(record.requiredValue().now());
                        }
                    });
            if (!past.isInRange(now)) {
                throw RefusedException.invalid(
                        "at=%s: workflow %s has %d transitions, from %s to %s"
                                .formatted(
                                        text, row.name(), past.count(), past.first(), past.last()));
            }
            Instant shown =
                    switch (moment) {
                        case Moment.AfterTransition _ -> time.get();
                        case Moment.At(var instant) -> instant;
                    };
            FieldFilter fields = query.fields();
            WorkflowView.Wanted wanted =
                    new WorkflowView.Wanted(
                            version.get().toString(),
                            fields.keeps("status", "nodes"),
                            Map.of(
                                    ANNOTATION + "at-transition", Long.toString(past.number()),
                                    ANNOTATION + "at-time", shown.toString(),
                                    ANNOTATION + "transitions", Long.toString(past.count())));
            WorkflowRoutes.stream(
                    ctx, fields, out -> WorkflowView.write(folded.stored(), wanted, out));
        }
    }

    private void history(Context ctx) {
        Row row = WorkflowRoutes.row(ctx, model);
        try (FoldedWorkflow folded = FoldedWorkflow.open(row.namespace(), row.name());
                Transitions transitions = new Transitions(ctx, row, folded)) {
            read(row, transitions::add);
            transitions.end();
        }
    }

    /** Writes what happened as it is read; nothing before there is something. */
    private static final class Transitions implements AutoCloseable {
        private final Context ctx;
        private final Row row;
        private final FoldedWorkflow folded;
        private @Nullable JsonGenerator out;
        private int number;

        Transitions(Context ctx, Row row, FoldedWorkflow folded) {
            this.ctx = ctx;
            this.row = row;
            this.folded = folded;
        }

        void add(LogRecord<WorkflowTransition> record) {
            WorkflowTransition transition = record.requiredValue();
            ObjectNode entry =
                    Json.object().put("number", ++number).put("time", transition.now().toString());
            ArrayNode events = entry.putArray("events");
            for (WorkflowEvent event : transition.events()) {
                WhatHappened.line(folded.state(), event).ifPresent(events::add);
                Evolution.apply(folded.state(), row.namespace(), row.name(), event);
            }
            folded.took(record);
            if (out == null) {
                out = begin();
            }
            out.writeTree(entry);
        }

        private JsonGenerator begin() {
            JsonGenerator json = WorkflowRoutes.generator(ctx);
            json.writeStartObject();
            json.writeStringProperty("namespace", row.namespace());
            json.writeStringProperty("name", row.name());
            json.writeStringProperty("uid", row.uid());
            json.writeName("transitions");
            json.writeStartArray();
            return json;
        }

        /** There are no more; at least the submission was there. */
        void end() {
            if (out != null) {
                out.writeEndArray();
                out.writeEndObject();
            }
        }

        @Override
        public void close() {
            if (out != null) {
                out.close();
            }
        }
    }

    private void read(Row row, WorkflowHistory.Reader reader) {
        if (!history.read(row, reader)) {
            throw RefusedException.notFound("workflows", row.name());
        }
    }
}
