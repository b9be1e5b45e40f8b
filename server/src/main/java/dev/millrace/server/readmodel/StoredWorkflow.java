package dev.millrace.server.readmodel;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.WorkflowHead;
import dev.millrace.schemas.record.WorkflowSource;
import dev.millrace.workflowengine.state.WorkflowState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * A workflow in its rows, as long as the SQL transaction lasts. Whoever goes through its nodes page
 * by page has one page in memory.
 */
final class StoredWorkflow implements WorkflowState {
    private final Handle handle;
    private final ChildRows rows;
    private final WorkflowHead head;
    private final TreeMap<String, Node> page = new TreeMap<>();
    private final Map<String, List<String>> children = new HashMap<>();
    private @Nullable WorkflowSource source;

    StoredWorkflow(Handle handle, String namespace, String name) {
        this.handle = handle;
        this.rows = new ChildRows(handle, namespace, name);
        this.head =
                Json.mapper()
                        .readValue(
                                handle.createQuery(
                                                "SELECT head FROM workflows WHERE namespace = ? AND name = ?")
                                        .bind(0, namespace)
                                        .bind(1, name)
                                        .mapTo(String.class)
                                        .one(),
                                WorkflowHead.class);
    }

    @Override
    public WorkflowHead head() {
        return head;
    }

    @Override
    public WorkflowSource source() {
        if (source == null) {
            source =
                    Json.mapper()
                            .readValue(
                                    handle.createQuery(
                                                    "SELECT source FROM workflows WHERE namespace = ? AND name = ?")
                                            .bind(0, rows.namespace())
                                            .bind(1, rows.workflow())
                                            .mapTo(String.class)
                                            .one(),
                                    WorkflowSource.class);
        }
        return source;
    }

    @Override
    public @Nullable Node node(String id) {
        Node known = page.get(id);
        return known != null
                ? known
                : handle.createQuery(
                                "SELECT node FROM nodes WHERE namespace = ? AND workflow = ? AND id = ?")
                        .bind(0, rows.namespace())
                        .bind(1, rows.workflow())
                        .bind(2, id)
                        .mapTo(String.class)
                        .findOne()
                        .map(json -> Json.mapper().readValue(json, Node.class))
                        .orElse(null);
    }

    @Override
    public List<String> children(String id) {
        return page.containsKey(id) ? children.getOrDefault(id, List.of()) : rows.read(id);
    }

    @Override
    public List<String> openNodes() {
        return ids(" AND open = 1");
    }

    @Override
    public List<String> nodes() {
        return ids("");
    }

    private List<String> ids(String condition) {
        return handle.createQuery(
                        "SELECT id FROM nodes WHERE namespace = ? AND workflow = ?"
                                + condition
                                + " ORDER BY id")
                .bind(0, rows.namespace())
                .bind(1, rows.workflow())
                .mapTo(String.class)
                .list();
    }

    @Override
    public List<String> nodes(String after, int atMost) {
        page.clear();
        children.clear();
        handle.createQuery(
                        "SELECT node FROM nodes WHERE namespace = ? AND workflow = ? AND id > ? ORDER BY id LIMIT ?")
                .bind(0, rows.namespace())
                .bind(1, rows.workflow())
                .bind(2, after)
                .bind(3, atMost)
                .mapTo(String.class)
                .map(json -> Json.mapper().readValue(json, Node.class))
                .forEach(node -> page.put(node.id(), node));
        if (page.isEmpty()) {
            return List.of();
        }
        handle.createQuery(
                        "SELECT parent, ids FROM children WHERE namespace = ? AND workflow = ?"
                                + " AND parent > ? AND parent <= ? ORDER BY parent, chunk")
                .bind(0, rows.namespace())
                .bind(1, rows.workflow())
                .bind(2, after)
                .bind(3, page.lastKey())
                .map((row, _) -> Map.entry(row.getString(1), row.getString(2)))
                .forEach(
                        row ->
                                children.computeIfAbsent(row.getKey(), _ -> new ArrayList<>())
                                        .addAll(ChildRows.texts(row.getValue())));
        return List.copyOf(page.keySet());
    }
}
