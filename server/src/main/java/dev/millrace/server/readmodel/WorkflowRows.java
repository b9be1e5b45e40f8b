package dev.millrace.server.readmodel;

import dev.millrace.log.Topics;
import dev.millrace.log.plain.Positions;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.WorkflowHead;
import dev.millrace.schemas.record.WorkflowPhase;
import dev.millrace.schemas.record.WorkflowSource;
import dev.millrace.workflowengine.state.InMemoryWorkflow;
import dev.millrace.workflowengine.state.WorkflowState;
import dev.millrace.workflowengine.view.WorkflowView;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.node.ObjectNode;

/** Workflows as they are read. One that is being deleted is no longer there. */
public final class WorkflowRows {

    /** What is to be read at all. */
    public static final String THERE = "stage <> 'Deleting'";

    private static final String COLUMNS =
            "SELECT namespace, name, uid, part, position, phase, created, started, finished, labels FROM workflows"
                    + " WHERE "
                    + THERE;

    /** Those that run first, the newest of each at the top; in the words of the indices. */
    public static final String NEWEST_FIRST =
            "finished IS NOT NULL, coalesce(finished, created) DESC, namespace, name";

    private final Handle handle;

    /**
     * What lists are filtered by.
     *
     * @param version the object's resourceVersion, {@code partition:offset} behind its last
     *     transition
     */
    public record Row(
            String namespace,
            String name,
            String uid,
            Positions version,
            String phase,
            Instant created,
            @Nullable Instant started,
            @Nullable Instant finished,
            Map<String, String> labels) {}

    /** A workflow as it stands. */
    public record Found(WorkflowState state, Row row) {

        /** The object that clients know. */
        public ObjectNode render() {
            return WorkflowView.render(state, row.version().toString());
        }

        /**
         * Writes that object node by node.
         *
         * @return how many nodes it has
         */
        public int write(boolean withNodes, JsonGenerator out) {
            return WorkflowView.write(
                    state,
                    new WorkflowView.Wanted(row.version().toString(), withNodes, Map.of()),
                    out);
        }

        public boolean isFinished() {
            return row.finished() != null;
        }
    }

    private WorkflowRows(Handle handle) {
        this.handle = handle;
    }

    /** Reads within the given transaction. */
    public static WorkflowRows in(Handle handle) {
        return new WorkflowRows(handle);
    }

    /** How far this state is: the version of a list. */
    public Positions version() {
        return ReadModel.positions(handle, Topics.WORKFLOW_EVENTS);
    }

    /**
     * All of a namespace (of all, if it is empty): those that run first, the newest of each at the
     * top.
     */
    public List<Row> list(String namespace) {
        return list(namespace, RowCondition.all(List.of()), 0, -1);
    }

    /**
     * Some of those that fulfil a condition, in the order of {@link #list(String)}.
     *
     * @param skip how many come before
     * @param limit how many at most; all, if negative
     */
    public List<Row> list(String namespace, RowCondition condition, int skip, int limit) {
        RowCondition all = within(namespace, condition);
        return query(
                        "%s AND %s ORDER BY %s LIMIT ? OFFSET ?"
                                .formatted(COLUMNS, all.sql(), NEWEST_FIRST),
                        all)
                .bind(all.arguments().size(), limit)
                .bind(all.arguments().size() + 1, skip)
                .map((row, _) -> row(row))
                .list();
    }

    /** How many there are of those that fulfil a condition. */
    public long count(String namespace, RowCondition condition) {
        RowCondition all = within(namespace, condition);
        return query(
                        "SELECT count(*) FROM workflows WHERE %s AND %s"
                                .formatted(THERE, all.sql()),
                        all)
                .mapTo(Long.class)
                .one();
    }

    /** The workflow of a namespace that was created last; empty if there is none. */
    public Optional<Row> latest(String namespace) {
        return handle.createQuery(COLUMNS + " AND namespace = ? ORDER BY created DESC LIMIT 1")
                .bind(0, namespace)
                .map((row, _) -> row(row))
                .findOne();
    }

    private Query query(String sql, RowCondition condition) {
        Query query = handle.createQuery(sql);
        for (int i = 0; i < condition.arguments().size(); i++) {
            query.bind(i, condition.arguments().get(i));
        }
        return query;
    }

    private static RowCondition within(String namespace, RowCondition condition) {
        return namespace.isEmpty()
                ? condition
                : RowCondition.all(
                        List.of(
                                RowCondition.isEqual(RowCondition.Column.NAMESPACE, namespace),
                                condition));
    }

    /** One workflow; empty if there is none, or if it is being deleted. */
    public Optional<Found> find(String namespace, String name) {
        return row(namespace, name).map(row -> new Found(load(namespace, name), row));
    }

    /** What is known of a workflow without its nodes; empty as {@link #find}. */
    public Optional<Row> row(String namespace, String name) {
        return handle.createQuery(COLUMNS + " AND namespace = ? AND name = ?")
                .bind(0, namespace)
                .bind(1, name)
                .map((row, _) -> row(row))
                .findOne();
    }

    /**
     * One workflow whose nodes are read when they are asked for, within the transaction; empty if
     * there is none, or if it is being deleted.
     */
    public Optional<Found> open(String namespace, String name) {
        return row(namespace, name)
                .map(row -> new Found(new StoredWorkflow(handle, namespace, name), row));
    }

    /** The workflow of a UID; empty if there is none, or if it is being deleted. */
    public Optional<Row> byUid(String uid) {
        return handle.createQuery(COLUMNS + " AND uid = ?")
                .bind(0, uid)
                .map((row, _) -> row(row))
                .findOne();
    }

    /** Ended workflows of a phase beyond the newest, the oldest of them first. */
    public List<Row> beyond(WorkflowPhase phase, int newest, int atMost) {
        return handle.createQuery(
                        "SELECT * FROM ("
                                + COLUMNS
                                + " AND stage = 'Done' AND phase = ?"
                                + " ORDER BY created DESC, namespace DESC, name DESC LIMIT -1 OFFSET ?)"
                                + " ORDER BY created, namespace, name LIMIT ?")
                .bind(0, phase.text())
                .bind(1, newest)
                .bind(2, atMost)
                .map((row, _) -> row(row))
                .list();
    }

    /** One node of a workflow that is not being deleted. */
    public Optional<Node> node(String namespace, String name, String id) {
        return handle.createQuery(
                        "SELECT node FROM nodes WHERE namespace = ? AND workflow = ? AND id = ?"
                                + " AND EXISTS (SELECT 1 FROM workflows w WHERE w.namespace = nodes.namespace"
                                + " AND w.name = nodes.workflow AND w.stage <> 'Deleting')")
                .bind(0, namespace)
                .bind(1, name)
                .bind(2, id)
                .mapTo(String.class)
                .findOne()
                .map(json -> Json.mapper().readValue(json, Node.class));
    }

    /** Names of the workflows that an activation started, as {@code namespace/name}. */
    public List<String> startedBy(String activationId) {
        return handle.createQuery(
                        "SELECT namespace || '/' || name FROM workflows WHERE activation = ?")
                .bind(0, activationId)
                .mapTo(String.class)
                .list();
    }

    private WorkflowState load(String namespace, String name) {
        InMemoryWorkflow workflow = new InMemoryWorkflow();
        handle.createQuery("SELECT head, source FROM workflows WHERE namespace = ? AND name = ?")
                .bind(0, namespace)
                .bind(1, name)
                .map(
                        (row, _) -> {
                            workflow.putHead(
                                    Json.mapper().readValue(row.getString(1), WorkflowHead.class));
                            workflow.putSource(
                                    Json.mapper()
                                            .readValue(row.getString(2), WorkflowSource.class));
                            return name;
                        })
                .one();
        handle.createQuery("SELECT node FROM nodes WHERE namespace = ? AND workflow = ?")
                .bind(0, namespace)
                .bind(1, name)
                .mapTo(String.class)
                .forEach(json -> workflow.putNode(Json.mapper().readValue(json, Node.class)));
        handle.createQuery(
                        "SELECT parent, ids FROM children WHERE namespace = ? AND workflow = ? ORDER BY parent, chunk")
                .bind(0, namespace)
                .bind(1, name)
                .map((row, _) -> Map.entry(row.getString(1), row.getString(2)))
                .forEach(e -> workflow.addChildren(e.getKey(), ChildRows.texts(e.getValue())));
        return workflow;
    }

    private static Row row(ResultSet row) throws SQLException {
        Map<String, String> labels = new LinkedHashMap<>();
        Json.mapper()
                .readTree(row.getString("labels"))
                .properties()
                .forEach(label -> labels.put(label.getKey(), label.getValue().asString("")));
        return new Row(
                row.getString("namespace"),
                row.getString("name"),
                row.getString("uid"),
                new Positions(Map.of(row.getInt("part"), row.getLong("position") + 1)),
                row.getString("phase"),
                Instant.ofEpochMilli(row.getLong("created")),
                instant(row, "started"),
                instant(row, "finished"),
                labels);
    }

    private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
        long millis = row.getLong(column);
        return row.wasNull() ? null : Instant.ofEpochMilli(millis);
    }
}
