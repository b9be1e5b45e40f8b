package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.readmodel.ReadModel;
import dev.millrace.server.readmodel.RowCondition;
import dev.millrace.server.readmodel.WorkflowRows;
import dev.millrace.server.readmodel.WorkflowRows.Row;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What SQL selects is what a watch selects, row by row. */
class SelectionTest {

    private static final long EPOCH = 1_767_261_600_000L;
    private static final List<String> NAMES = List.of("hello", "hello-a", "b'c", "nightly.x");
    private static final List<String> VALUES = List.of("a", "b", "", "x.y_z-1");
    private static final List<String> KEYS = List.of("team", "app.kubernetes.io/part-of", "x");

    @TempDir Path folder;

    private ReadModel model;
    private Path file;

    @BeforeEach
    void fill() throws SQLException {
        file = folder.resolve("model.db");
        model = ReadModel.open(file, "log");
        Random random = new Random(1);
        try (Connection sql = DriverManager.getConnection("jdbc:sqlite:" + file);
                PreparedStatement insert =
                        sql.prepareStatement(
                                """
                                INSERT INTO workflows (namespace, name, uid, first_seq, seq, part, position,
                                    stage, phase, created, started, finished, labels, head)
                                VALUES (?, ?, ?, 0, 0, 0, ?, ?, ?, ?, NULL, ?, ?, '{}')""")) {
            for (int i = 0; i < 400; i++) {
                boolean ended = random.nextBoolean();
                insert.setString(1, random.nextBoolean() ? "argo" : "other");
                insert.setString(2, NAMES.get(random.nextInt(NAMES.size())) + i);
                insert.setString(3, "uid-" + i);
                insert.setLong(4, i);
                insert.setString(5, random.nextInt(10) == 0 ? "Deleting" : "Running");
                insert.setString(6, ended ? "Failed" : "Running");
                insert.setLong(7, EPOCH + random.nextInt(100));
                insert.setObject(8, ended ? EPOCH + random.nextInt(100) : null);
                insert.setString(9, labels(random));
                insert.executeUpdate();
            }
        }
    }

    @AfterEach
    void close() {
        model.close();
    }

    private static String labels(Random random) {
        List<String> members = new ArrayList<>();
        for (String key : KEYS) {
            if (random.nextBoolean()) {
                members.add("\"%s\":\"%s\"".formatted(key, pick(VALUES, random)));
            }
        }
        return "{" + String.join(",", members) + "}";
    }

    @Test
    void selectsAlikeInRowsAndInMemory() {
        Random random = new Random(2);
        int selected = 0;
        for (int round = 0; round < 2_000; round++) {
            Map<String, String> parameters = parameters(random);
            Query query = new Query(parameters::get);
            Query.Selection selection = query.selection();
            String namespace = random.nextBoolean() ? "" : "argo";
            List<Row> expected =
                    read(rows -> rows.list(namespace)).stream().filter(selection::matches).toList();
            RowCondition condition = selection.condition();
            int skip = random.nextInt(5);
            int limit = 1 + random.nextInt(20);
            List<Row> page = read(rows -> rows.list(namespace, condition, skip, limit));
            assertThat(page)
                    .as("%s", parameters)
                    .isEqualTo(Query.Page.of(expected, skip, Optional.of(limit)).items());
            long count = read(rows -> rows.count(namespace, condition));
            assertThat(count).as("%s", parameters).isEqualTo(expected.size());
            selected += expected.size();
        }
        assertThat(selected).isPositive();
    }

    @Test
    void aPageOfAllComesFromAnIndex() throws SQLException {
        for (String where : List.of("", " AND namespace = 'argo'")) {
            List<String> plan = new ArrayList<>();
            try (Connection sql = DriverManager.getConnection("jdbc:sqlite:" + file);
                    var steps =
                            sql.createStatement()
                                    .executeQuery(
                                            "EXPLAIN QUERY PLAN SELECT name FROM workflows WHERE %s%s ORDER BY %s LIMIT 50"
                                                    .formatted(
                                                            WorkflowRows.THERE,
                                                            where,
                                                            WorkflowRows.NEWEST_FIRST))) {
                while (steps.next()) {
                    plan.add(steps.getString("detail"));
                }
            }
            assertThat(plan).singleElement().asString().contains("INDEX workflows_newest_first");
        }
    }

    private <T> T read(Function<WorkflowRows, T> reading) {
        return model.read(handle -> reading.apply(WorkflowRows.in(handle)));
    }

    private static Map<String, String> parameters(Random random) {
        Map<String, String> parameters = new HashMap<>();
        if (random.nextBoolean()) {
            parameters.put("listOptions.labelSelector", requirement(random));
        }
        if (random.nextInt(3) == 0) {
            parameters.put(
                    "listOptions.fieldSelector",
                    pick(
                            List.of(
                                    "status.phase=Failed",
                                    "status.phase!=Failed,metadata.namespace=other",
                                    "metadata.name!=hello1"),
                            random));
        } else if (random.nextBoolean()) {
            parameters.put("nameFilter", pick(List.of("Prefix", "Contains"), random));
            parameters.put(
                    "listOptions.fieldSelector",
                    "metadata.name=" + pick(List.of("hello", "o-a1", "b'", "y.x", "%"), random));
        }
        if (random.nextInt(3) == 0) {
            parameters.put("createdAfter", instant(random));
        }
        if (random.nextInt(3) == 0) {
            parameters.put("finishedBefore", instant(random));
        }
        return parameters;
    }

    private static String requirement(Random random) {
        String key = pick(KEYS, random);
        String value = pick(VALUES, random);
        return pick(
                List.of(
                        key,
                        "!" + key,
                        key + "=" + value,
                        key + "!=" + value,
                        key + " in (a," + value + ")",
                        key + " notin (b," + value + "),team"),
                random);
    }

    private static String instant(Random random) {
        return Instant.ofEpochMilli(EPOCH + random.nextInt(100))
                .plusNanos(random.nextBoolean() ? 0 : 500_000)
                .toString();
    }

    private static <T> T pick(List<T> of, Random random) {
        return of.get(random.nextInt(of.size()));
    }
}
