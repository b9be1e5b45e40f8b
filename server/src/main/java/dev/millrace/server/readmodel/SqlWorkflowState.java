package dev.millrace.server.readmodel;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.WorkflowHead;
import dev.millrace.schemas.record.WorkflowPhase;
import dev.millrace.schemas.record.WorkflowSource;
import dev.millrace.schemas.record.WorkflowStage;
import dev.millrace.server.readmodel.WorkflowChanges.Gone;
import dev.millrace.workflowengine.state.MutableWorkflowState;
import dev.millrace.workflowengine.view.WorkflowView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * One workflow as rows, for the length of one SQL transaction. Entries are read when they are asked
 * for; changes stay in memory until {@link #flush}, since the events of a batch touch the head
 * again and again.
 */
final class SqlWorkflowState implements MutableWorkflowState {

    /** Where the last transition stands in the log, and its number. */
    record Version(long firstSeq, long seq, int partition, long position) {}

    private final Handle handle;
    private final String namespace;
    private final String name;

    private @Nullable WorkflowHead head;
    private @Nullable WorkflowSource source;
    private @Nullable Version version;
    private boolean sourceLoaded;
    private boolean sourceChanged;
    private boolean dirty;
    private boolean rowsRemoved;
    private @Nullable Gone gone;
    private final Map<String, Optional<Node>> nodes = new HashMap<>();

    /** Children that came to those in the rows. */
    private final Map<String, List<String>> appended = new LinkedHashMap<>();

    /** Nodes whose children in the rows are gone. */
    private final Set<String> cleared = new LinkedHashSet<>();

    private final TreeSet<String> dirtyNodes = new TreeSet<>();

    private SqlWorkflowState(Handle handle, String namespace, String name) {
        this.handle = handle;
        this.namespace = namespace;
        this.name = name;
    }

    /** Loads the head; the rest follows when it is needed. */
    static SqlWorkflowState load(Handle handle, String namespace, String name) {
        SqlWorkflowState state = new SqlWorkflowState(handle, namespace, name);
        handle.createQuery(
                        "SELECT head, first_seq, seq, part, position FROM workflows WHERE namespace = ? AND name = ?")
                .bind(0, namespace)
                .bind(1, name)
                .map(
                        (row, _) -> {
                            state.head =
                                    Json.mapper().readValue(row.getString(1), WorkflowHead.class);
                            return new Version(
                                    row.getLong(2), row.getLong(3), row.getInt(4), row.getLong(5));
                        })
                .findOne()
                .ifPresent(found -> state.version = found);
        return state;
    }

    @Nullable Version version() {
        return version;
    }

    /** Notes the transition that is being folded in. */
    void at(long seq, int partition, long position) {
        Version known = version;
        version = new Version(known == null ? seq : known.firstSeq(), seq, partition, position);
        dirty = true;
    }

    /** What was removed in this transaction, if something was. */
    @Nullable Gone gone() {
        return gone;
    }

    @Override
    public @Nullable WorkflowHead head() {
        return head;
    }

    @Override
    public @Nullable WorkflowSource source() {
        if (!sourceLoaded) {
            sourceLoaded = true;
            source =
                    text(
                                    "SELECT source FROM workflows WHERE namespace = ? AND name = ?",
                                    namespace,
                                    name)
                            .map(json -> Json.mapper().readValue(json, WorkflowSource.class))
                            .orElse(null);
        }
        return source;
    }

    @Override
    public @Nullable Node node(String id) {
        return nodes.computeIfAbsent(
                        id,
                        _ ->
                                rowsRemoved
                                        ? Optional.empty()
                                        : text(
                                                        "SELECT node FROM nodes WHERE namespace = ? AND workflow = ? AND id = ?",
                                                        namespace,
                                                        name,
                                                        id)
                                                .map(
                                                        json ->
                                                                Json.mapper()
                                                                        .readValue(
                                                                                json, Node.class)))
                .orElse(null);
    }

    @Override
    public List<String> children(String id) {
        List<String> known = rowsRemoved || cleared.contains(id) ? List.of() : rows().read(id);
        List<String> all = new ArrayList<>(known);
        all.addAll(appended.getOrDefault(id, List.of()));
        return all;
    }

    @Override
    public List<String> openNodes() {
        TreeSet<String> open =
                new TreeSet<>(
                        ids(
                                "SELECT id FROM nodes WHERE namespace = ? AND workflow = ? AND open = 1"));
        nodes.forEach(
                (id, node) -> {
                    if (node.isPresent() && !node.get().ended()) {
                        open.add(id);
                    } else {
                        open.remove(id);
                    }
                });
        return List.copyOf(open);
    }

    @Override
    public List<String> nodes() {
        TreeSet<String> all =
                new TreeSet<>(ids("SELECT id FROM nodes WHERE namespace = ? AND workflow = ?"));
        nodes.forEach((id, node) -> node.ifPresentOrElse(_ -> all.add(id), () -> all.remove(id)));
        return List.copyOf(all);
    }

    @Override
    public void putHead(WorkflowHead newHead) {
        if (newHead.stage() == WorkflowStage.DELETED) {
            remove();
            return;
        }
        head = newHead;
        dirty = true;
    }

    @Override
    public void putSource(@Nullable WorkflowSource newSource) {
        source = newSource;
        sourceLoaded = true;
        sourceChanged = true;
        dirty = true;
    }

    @Override
    public void putNode(Node node) {
        nodes.put(node.id(), Optional.of(node));
        dirtyNodes.add(node.id());
    }

    @Override
    public void addChildren(String parentId, List<String> added) {
        appended.computeIfAbsent(parentId, _ -> new ArrayList<>()).addAll(added);
    }

    @Override
    public void removeChildren(String parentId, List<String> gone) {
        Set<String> known = Set.copyOf(gone);
        List<String> left = new ArrayList<>(children(parentId));
        left.removeIf(c -> known.isEmpty() || known.contains(c));
        cleared.add(parentId);
        appended.put(parentId, left);
    }

    @Override
    public void removeNode(String id) {
        nodes.put(id, Optional.empty());
        dirtyNodes.add(id);
        cleared.add(id);
        appended.remove(id);
    }

    /** Forgets the workflow and all its rows. */
    void remove() {
        WorkflowHead last = head;
        WorkflowSource from = source();
        if (last != null && from != null) {
            gone = new Gone(last.uid(), WorkflowView.metadata(last, from, "0"));
        }
        head = null;
        source = null;
        sourceLoaded = true;
        sourceChanged = false;
        version = null;
        dirty = false;
        rowsRemoved = true;
        nodes.clear();
        appended.clear();
        cleared.clear();
        dirtyNodes.clear();
    }

    /** Writes what changed, and keeps no nodes in memory. */
    void flush() {
        write();
        rowsRemoved = false;
        sourceChanged = false;
        dirty = false;
        nodes.clear();
        appended.clear();
        cleared.clear();
        dirtyNodes.clear();
    }

    private void write() {
        if (rowsRemoved) {
            handle.execute(
                    "DELETE FROM workflows WHERE namespace = ? AND name = ?", namespace, name);
            handle.execute(
                    "DELETE FROM nodes WHERE namespace = ? AND workflow = ?", namespace, name);
            handle.execute(
                    "DELETE FROM children WHERE namespace = ? AND workflow = ?", namespace, name);
        }
        if (head == null) {
            return;
        }
        dirtyNodes.forEach(this::writeNode);
        cleared.forEach(rows()::clear);
        appended.forEach(
                (parent, added) -> {
                    if (!added.isEmpty()) {
                        rows().append(parent, added);
                    }
                });
        if (dirty) {
            writeWorkflow(head, Objects.requireNonNull(version));
        }
    }

    private void writeWorkflow(WorkflowHead head, Version version) {
        WorkflowPhase phase = head.phase() == null ? WorkflowPhase.PENDING : head.phase();
        handle.execute(
                """
                INSERT INTO workflows (namespace, name, uid, first_seq, seq, part, position, stage, phase,
                        created, started, finished, labels, activation, head)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET uid = excluded.uid, first_seq = excluded.first_seq, seq = excluded.seq,
                        part = excluded.part, position = excluded.position, stage = excluded.stage,
                        phase = excluded.phase, created = excluded.created, started = excluded.started,
                        finished = excluded.finished, labels = excluded.labels,
                        activation = excluded.activation, head = excluded.head""",
                namespace,
                name,
                head.uid(),
                version.firstSeq(),
                version.seq(),
                version.partition(),
                version.position(),
                head.stage().text(),
                phase.text(),
                head.createdAt().toEpochMilli(),
                millis(head.startedAt()),
                millis(head.finishedAt()),
                json(WorkflowView.labels(head)),
                head.origin() == null ? null : head.origin().activationId(),
                json(head));
        if (sourceChanged) {
            handle.execute(
                    "UPDATE workflows SET source = ? WHERE namespace = ? AND name = ?",
                    json(Objects.requireNonNull(source)),
                    namespace,
                    name);
        }
    }

    private void writeNode(String id) {
        Node node = node(id);
        if (node == null) {
            handle.execute(
                    "DELETE FROM nodes WHERE namespace = ? AND workflow = ? AND id = ?",
                    namespace,
                    name,
                    id);
        } else {
            handle.execute(
                    "INSERT OR REPLACE INTO nodes (namespace, workflow, id, open, node) VALUES (?, ?, ?, ?, ?)",
                    namespace,
                    name,
                    id,
                    node.ended() ? 0 : 1,
                    json(node));
        }
    }

    private ChildRows rows() {
        return new ChildRows(handle, namespace, name);
    }

    private List<String> ids(String sql) {
        return rowsRemoved
                ? List.of()
                : handle.createQuery(sql)
                        .bind(0, namespace)
                        .bind(1, name)
                        .mapTo(String.class)
                        .list();
    }

    private Optional<String> text(String sql, String... arguments) {
        var query = handle.createQuery(sql);
        for (int i = 0; i < arguments.length; i++) {
            query.bind(i, arguments[i]);
        }
        return query.mapTo(String.class).findOne();
    }

    private static String json(Object value) {
        return Json.mapper().writeValueAsString(value);
    }

    private static @Nullable Long millis(@Nullable Instant instant) {
        return instant == null ? null : instant.toEpochMilli();
    }
}
