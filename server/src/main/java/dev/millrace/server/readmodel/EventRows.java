package dev.millrace.server.readmodel;

import dev.millrace.schemas.Json;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Events and what became of them, status and dead letters, as they are read. */
public final class EventRows {

    private final Handle handle;

    private EventRows(Handle handle) {
        this.handle = handle;
    }

    /** Reads within the given transaction. */
    public static EventRows in(Handle handle) {
        return new EventRows(handle);
    }

    /**
     * The newest events, the newest first, without their data.
     *
     * @param namespace empty for all
     * @param source name of the event source, empty for all
     */
    public ArrayNode list(String namespace, String source, int limit, int skip) {
        ArrayNode events = Json.mapper().createArrayNode();
        handle.createQuery(
                        """
                        SELECT id, namespace, source, subject, type, at, size,
                            (SELECT count(*) FROM decisions d WHERE d.event = e.id) AS decisions
                        FROM events e WHERE (:namespace = '' OR namespace = :namespace)
                            AND (:source = '' OR source = :source)
                        ORDER BY at DESC, part, position DESC LIMIT :limit OFFSET :skip""")
                .bind("namespace", namespace)
                .bind("source", source)
                .bind("limit", limit)
                .bind("skip", skip)
                .map((row, _) -> event(row).put("decisions", row.getInt("decisions")))
                .forEach(events::add);
        return events;
    }

    /**
     * One event with its data, the decisions about it, the activations it led to and the workflows
     * they started.
     */
    public Optional<ObjectNode> find(String id) {
        Optional<ObjectNode> found =
                handle.createQuery(
                                "SELECT * FROM events WHERE id = ? ORDER BY part, position LIMIT 1")
                        .bind(0, id)
                        .map((row, _) -> withData(row))
                        .findOne();
        found.ifPresent(
                event -> {
                    ArrayNode decisions = Json.mapper().createArrayNode();
                    decisions(id).forEach(decisions::add);
                    event.set("decisions", decisions);
                    event.set("activations", activations(decisions));
                });
        return found;
    }

    /** The decisions about an event, in their order. */
    public List<JsonNode> decisions(String eventId) {
        return handle.createQuery(
                        "SELECT decision FROM decisions WHERE event = ? ORDER BY at, part, position")
                .bind(0, eventId)
                .mapTo(String.class)
                .map(Json.mapper()::readTree)
                .list();
    }

    /** How an object is doing; empty if nobody has said it yet. */
    public Optional<JsonNode> status(String kind, String namespace, String name) {
        return handle.createQuery(
                        "SELECT status FROM status WHERE kind = ? AND namespace = ? AND name = ?")
                .bind(0, kind)
                .bind(1, namespace)
                .bind(2, name)
                .mapTo(String.class)
                .findOne()
                .map(Json.mapper()::readTree);
    }

    /** Dead letters, the newest first. */
    public ArrayNode deadLetters(int limit, int skip) {
        ArrayNode letters = Json.mapper().createArrayNode();
        handle.createQuery(
                        "SELECT letter FROM dead_letters ORDER BY at DESC, origin LIMIT ? OFFSET ?")
                .bind(0, limit)
                .bind(1, skip)
                .mapTo(String.class)
                .forEach(json -> letters.add(Json.mapper().readTree(json)));
        return letters;
    }

    private ArrayNode activations(ArrayNode decisions) {
        List<String> ids =
                decisions
                        .valueStream()
                        .map(decision -> decision.path("activationId").asString(""))
                        .filter(id -> !id.isEmpty())
                        .distinct()
                        .toList();
        ArrayNode activations = Json.mapper().createArrayNode();
        for (String id : ids) {
            handle.createQuery("SELECT * FROM activations WHERE id = ?")
                    .bind(0, id)
                    .map((row, _) -> activation(row))
                    .findOne()
                    .ifPresent(
                            activation -> {
                                activation.set(
                                        "workflows",
                                        Json.tree(WorkflowRows.in(handle).startedBy(id)));
                                activations.add(activation);
                            });
        }
        return activations;
    }

    private static ObjectNode activation(ResultSet row) throws SQLException {
        ObjectNode activation = Json.object();
        activation.put("id", row.getString("id"));
        activation.put("namespace", row.getString("namespace"));
        activation.put("sensor", row.getString("sensor"));
        activation.put("trigger", row.getString("trigger"));
        activation.put("at", Instant.ofEpochMilli(row.getLong("at")).toString());
        activation.set("events", Json.mapper().readTree(row.getString("events")));
        return activation;
    }

    private static ObjectNode event(ResultSet row) throws SQLException {
        ObjectNode event = Json.object();
        event.put("id", row.getString("id"));
        event.put("namespace", row.getString("namespace"));
        event.put("source", row.getString("source"));
        event.put("subject", row.getString("subject"));
        event.put("type", row.getString("type"));
        event.put("time", Instant.ofEpochMilli(row.getLong("at")).toString());
        event.put("size", row.getInt("size"));
        return event;
    }

    private static ObjectNode withData(ResultSet row) throws SQLException {
        ObjectNode event = event(row);
        String contentType = row.getString("content_type");
        if (contentType != null) {
            event.put("dataContentType", contentType);
        }
        event.put("data", row.getString("data"));
        if (row.getInt("size") > EventProjection.SHOWN_BYTES) {
            event.put("dataTruncated", true);
        }
        event.put("partition", row.getInt("part"));
        event.put("offset", row.getLong("position"));
        return event;
    }
}
