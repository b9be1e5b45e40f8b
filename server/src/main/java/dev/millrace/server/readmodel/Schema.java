package dev.millrace.server.readmodel;

import java.util.List;
import org.jdbi.v3.core.Handle;

/**
 * The tables. A file of another version is thrown away and made anew, so there are no migrations.
 */
final class Schema {

    /** Raised with every change of the tables or of what is written to them. */
    static final int VERSION = 3;

    /** Every table, for dumps and for throwing rows away. */
    static final List<String> TABLES =
            List.of(
                    "positions",
                    "workflows",
                    "nodes",
                    "children",
                    "manifests",
                    "status",
                    "events",
                    "decisions",
                    "activations",
                    "dead_letters",
                    "metrics");

    private static final List<String> STATEMENTS =
            List.of(
                    "CREATE TABLE log (id TEXT NOT NULL)",
                    """
                    CREATE TABLE positions (
                        topic TEXT NOT NULL, part INTEGER NOT NULL, next INTEGER NOT NULL,
                        PRIMARY KEY (topic, part)) WITHOUT ROWID""",
                    // labels are those that clients see, with phase and completed. version is the
                    // place of the
                    // last transition, the object's resourceVersion.
                    """
                    CREATE TABLE workflows (
                        namespace TEXT NOT NULL, name TEXT NOT NULL, uid TEXT NOT NULL,
                        first_seq INTEGER NOT NULL, seq INTEGER NOT NULL,
                        part INTEGER NOT NULL, position INTEGER NOT NULL,
                        stage TEXT NOT NULL, phase TEXT NOT NULL,
                        created INTEGER NOT NULL, started INTEGER, finished INTEGER,
                        labels TEXT NOT NULL, activation TEXT, head TEXT NOT NULL, source TEXT,
                        PRIMARY KEY (namespace, name)) WITHOUT ROWID""",
                    "CREATE INDEX workflows_by_activation ON workflows (activation)",
                    "CREATE INDEX workflows_by_position ON workflows (part, position)",
                    // Only those that ended, so that a running one costs nothing here.
                    "CREATE INDEX workflows_by_end ON workflows (phase, created) WHERE stage = 'Done'",
                    """
                    CREATE TABLE nodes (
                        namespace TEXT NOT NULL, workflow TEXT NOT NULL, id TEXT NOT NULL,
                        open INTEGER NOT NULL, node TEXT NOT NULL,
                        PRIMARY KEY (namespace, workflow, id)) WITHOUT ROWID""",
                    // In chunks, so that one child more is not the whole list written again.
                    """
                    CREATE TABLE children (
                        namespace TEXT NOT NULL, workflow TEXT NOT NULL, parent TEXT NOT NULL,
                        chunk INTEGER NOT NULL, ids TEXT NOT NULL,
                        PRIMARY KEY (namespace, workflow, parent, chunk)) WITHOUT ROWID""",
                    """
                    CREATE TABLE manifests (
                        kind TEXT NOT NULL, namespace TEXT NOT NULL, name TEXT NOT NULL,
                        version INTEGER NOT NULL, manifest TEXT NOT NULL,
                        PRIMARY KEY (kind, namespace, name)) WITHOUT ROWID""",
                    """
                    CREATE TABLE status (
                        kind TEXT NOT NULL, namespace TEXT NOT NULL, name TEXT NOT NULL,
                        status TEXT NOT NULL,
                        PRIMARY KEY (kind, namespace, name)) WITHOUT ROWID""",
                    """
                    CREATE TABLE events (
                        part INTEGER NOT NULL, position INTEGER NOT NULL, id TEXT NOT NULL,
                        namespace TEXT NOT NULL, source TEXT NOT NULL, subject TEXT NOT NULL,
                        type TEXT NOT NULL, at INTEGER NOT NULL, size INTEGER NOT NULL,
                        content_type TEXT, data TEXT NOT NULL,
                        PRIMARY KEY (part, position)) WITHOUT ROWID""",
                    "CREATE INDEX events_by_id ON events (id)",
                    "CREATE INDEX events_by_time ON events (at)",
                    """
                    CREATE TABLE decisions (
                        part INTEGER NOT NULL, position INTEGER NOT NULL, event TEXT NOT NULL,
                        at INTEGER NOT NULL, decision TEXT NOT NULL,
                        PRIMARY KEY (part, position)) WITHOUT ROWID""",
                    "CREATE INDEX decisions_by_event ON decisions (event)",
                    "CREATE INDEX decisions_by_time ON decisions (at)",
                    """
                    CREATE TABLE activations (
                        id TEXT NOT NULL PRIMARY KEY, namespace TEXT NOT NULL, sensor TEXT NOT NULL,
                        "trigger" TEXT NOT NULL, at INTEGER NOT NULL, version INTEGER NOT NULL,
                        events TEXT NOT NULL) WITHOUT ROWID""",
                    "CREATE INDEX activations_by_time ON activations (at)",
                    """
                    CREATE TABLE dead_letters (
                        origin TEXT NOT NULL PRIMARY KEY, at INTEGER NOT NULL, letter TEXT NOT NULL)
                        WITHOUT ROWID""",
                    """
                    CREATE TABLE metrics (
                        id TEXT NOT NULL PRIMARY KEY, series TEXT NOT NULL) WITHOUT ROWID""");

    private Schema() {}

    static int versionOf(Handle handle) {
        return handle.createQuery("PRAGMA user_version").mapTo(Integer.class).one();
    }

    static void create(Handle handle, String logId) {
        STATEMENTS.forEach(handle::execute);
        handle.execute(
                "CREATE INDEX workflows_newest_first ON workflows (%s) WHERE %s"
                        .formatted(WorkflowRows.NEWEST_FIRST, WorkflowRows.THERE));
        handle.execute(
                "CREATE INDEX workflows_newest_first_of_one ON workflows (namespace, %s) WHERE %s"
                        .formatted(
                                WorkflowRows.NEWEST_FIRST.replace("namespace, ", ""),
                                WorkflowRows.THERE));
        for (int i = 0; i < Estimates.ORIGINS.size(); i++) {
            String label = Estimates.ORIGINS.get(i);
            handle.execute(
                    "CREATE INDEX workflows_by_origin_%d ON workflows (namespace, %s, created) WHERE %s"
                            .formatted(i, Estimates.expression(label), Estimates.condition(label)));
        }
        handle.execute("INSERT INTO log (id) VALUES (?)", logId);
        handle.execute("PRAGMA user_version = " + VERSION);
    }
}
