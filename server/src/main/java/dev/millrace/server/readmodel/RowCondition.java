package dev.millrace.server.readmodel;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * A condition on the rows of workflows, so that a page of a long list costs as much as the page.
 *
 * @param sql an expression with {@code ?} for each argument
 */
public record RowCondition(String sql, List<Object> arguments) {

    private static final String LABEL = "json_extract(labels, ?)";

    /** What a row can be compared by as it is. */
    public enum Column {
        NAMESPACE,
        NAME,
        PHASE;

        private String sql() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Fulfilled where all of them are, and if there is none. */
    public static RowCondition all(List<RowCondition> conditions) {
        List<Object> arguments = new ArrayList<>();
        StringBuilder sql = new StringBuilder("1");
        for (RowCondition condition : conditions) {
            sql.append(" AND (").append(condition.sql).append(')');
            arguments.addAll(condition.arguments);
        }
        return new RowCondition(sql.toString(), List.copyOf(arguments));
    }

    /** The label is there and has one of these values. */
    public static RowCondition labelIn(String key, Collection<String> values) {
        return label("%s IN (%s)".formatted(LABEL, marks(values)), path(key), values);
    }

    /** The label has none of these values; also fulfilled where it is absent. */
    public static RowCondition labelNotIn(String key, Collection<String> values) {
        return label(
                "coalesce(%s NOT IN (%s), 1)".formatted(LABEL, marks(values)), path(key), values);
    }

    public static RowCondition hasLabel(String key) {
        return label(LABEL + " IS NOT NULL", path(key), List.of());
    }

    public static RowCondition lacksLabel(String key) {
        return label(LABEL + " IS NULL", path(key), List.of());
    }

    public static RowCondition isEqual(Column column, String value) {
        return new RowCondition(column.sql() + " = ?", List.of(value));
    }

    public static RowCondition isNotEqual(Column column, String value) {
        return new RowCondition(column.sql() + " <> ?", List.of(value));
    }

    public static RowCondition nameStartsWith(String prefix) {
        return new RowCondition("substr(name, 1, length(?)) = ?", List.of(prefix, prefix));
    }

    public static RowCondition nameContains(String part) {
        return new RowCondition("instr(name, ?) > 0", List.of(part));
    }

    public static RowCondition createdAfter(Instant instant) {
        return new RowCondition("created > ?", List.of(instant.toEpochMilli()));
    }

    public static RowCondition finishedBefore(Instant instant) {
        return new RowCondition("finished < ?", List.of(instant.plusNanos(999_999).toEpochMilli()));
    }

    private static RowCondition label(String sql, String path, Collection<String> values) {
        List<Object> arguments = new ArrayList<>(List.of(path));
        arguments.addAll(values);
        return new RowCondition(sql, List.copyOf(arguments));
    }

    private static String path(String key) {
        return "$.\"" + key + "\"";
    }

    private static String marks(Collection<String> values) {
        return String.join(", ", Collections.nCopies(values.size(), "?"));
    }
}
