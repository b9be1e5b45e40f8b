package dev.millrace.server.readmodel;

import dev.millrace.schemas.Json;
import java.util.ArrayList;
import java.util.List;
import org.jdbi.v3.core.Handle;

/** Lists of children as rows: in chunks, the last of which grows. */
record ChildRows(Handle handle, String namespace, String workflow) {
    private static final int CHUNK = 256;

    private record Chunk(int number, String ids) {}

    List<String> read(String parent) {
        List<String> all = new ArrayList<>();
        handle.createQuery(
                        "SELECT ids FROM children WHERE namespace = ? AND workflow = ? AND parent = ? ORDER BY chunk")
                .bind(0, namespace)
                .bind(1, workflow)
                .bind(2, parent)
                .mapTo(String.class)
                .forEach(ids -> all.addAll(texts(ids)));
        return all;
    }

    void clear(String parent) {
        handle.execute(
                "DELETE FROM children WHERE namespace = ? AND workflow = ? AND parent = ?",
                namespace,
                workflow,
                parent);
    }

    void append(String parent, List<String> added) {
        Chunk last =
                handle.createQuery(
                                "SELECT chunk, ids FROM children WHERE namespace = ? AND workflow = ? AND parent = ?"
                                        + " ORDER BY chunk DESC LIMIT 1")
                        .bind(0, namespace)
                        .bind(1, workflow)
                        .bind(2, parent)
                        .map((row, _) -> new Chunk(row.getInt(1), row.getString(2)))
                        .findOne()
                        .orElse(new Chunk(0, "[]"));
        int number = last.number();
        List<String> ids = texts(last.ids());
        int next = 0;
        while (next < added.size()) {
            if (ids.size() >= CHUNK) {
                number++;
                ids.clear();
            }
            int end = Math.min(added.size(), next + CHUNK - ids.size());
            ids.addAll(added.subList(next, end));
            next = end;
            handle.execute(
                    "INSERT OR REPLACE INTO children (namespace, workflow, parent, chunk, ids) VALUES (?, ?, ?, ?, ?)",
                    namespace,
                    workflow,
                    parent,
                    number,
                    Json.mapper().writeValueAsString(ids));
        }
    }

    static List<String> texts(String json) {
        return new ArrayList<>(List.of(Json.mapper().readValue(json, String[].class)));
    }
}
