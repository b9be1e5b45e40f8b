package dev.millrace.server.api;

import dev.millrace.server.command.RefusedException;
import dev.millrace.server.readmodel.RowCondition;
import dev.millrace.server.readmodel.WorkflowRows.Row;
import io.javalin.http.Context;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The query of a request. Clients write the members of nested messages with dots ({@code
 * listOptions.limit}); repeated members may carry an index.
 */
final class Query {

    private final Function<String, @Nullable String> parameters;

    Query(Function<String, @Nullable String> parameters) {
        this.parameters = parameters;
    }

    static Query of(Context ctx) {
        return new Query(ctx::queryParam);
    }

    /** A parameter; empty if it is absent. */
    String text(String name) {
        String value = parameters.apply(name);
        return value == null ? "" : value;
    }

    boolean flag(String name) {
        String value = text(name);
        return value.equals("true") || value.equals("1");
    }

    /** A number, not negative; empty if it is absent. */
    Optional<Integer> number(String name) {
        String value = text(name);
        if (value.isEmpty()) {
            return Optional.empty();
        }
        try {
            int number = Integer.parseInt(value);
            if (number >= 0) {
                return Optional.of(number);
            }
        } catch (NumberFormatException e) {
            throw notA("number that is not negative", name, value);
        }
        throw notA("number that is not negative", name, value);
    }

    FieldFilter fields() {
        return FieldFilter.parse(text("fields"));
    }

    /** How many items a list may have; empty for all. */
    Optional<Integer> limit() {
        return number("listOptions.limit").filter(limit -> limit > 0);
    }

    /** How many items to leave out: the token of a list is its offset. */
    int skip() {
        return number("listOptions.continue").orElse(0);
    }

    /**
     * Which workflows a list or watch is about. {@code nameFilter} says how the name in the field
     * selector is compared.
     */
    Selection selection() {
        FieldSelector fields = FieldSelector.parse(text("listOptions.fieldSelector"));
        String filter = text("nameFilter");
        List<FieldSelector.Term> names =
                filter.isEmpty() || filter.equals("Exact")
                        ? List.of()
                        : fields.terms().stream()
                                .filter(
                                        term ->
                                                term.field().equals("metadata.name")
                                                        && term.equal())
                                .toList();
        return new Selection(
                LabelSelector.parse(text("listOptions.labelSelector")),
                new FieldSelector(
                        fields.terms().stream().filter(term -> !names.contains(term)).toList()),
                names.stream().map(term -> namePart(filter, term.value())).toList(),
                instant("createdAfter"),
                instant("finishedBefore"));
    }

    private static NamePart namePart(String filter, String value) {
        return switch (filter) {
            case "Contains" -> new NamePart(value, false);
            case "Prefix" -> new NamePart(value, true);
            default ->
                    throw RefusedException.invalid(
                            "nameFilter=" + filter + ": Exact, Contains or Prefix is expected");
        };
    }

    /** A time; null if it is absent. */
    @Nullable Instant instant(String name) {
        String value = text(name);
        if (value.isEmpty()) {
            return null;
        }
        try {
            return Instant.parse(value);
        } catch (DateTimeParseException e) {
            throw notA("time like 2026-01-31T12:00:00Z", name, value);
        }
    }

    private static RefusedException notA(String what, String name, String value) {
        return RefusedException.invalid("%s=%s: a %s is expected".formatted(name, value, what));
    }

    /** What a name has in it, or begins with. */
    record NamePart(String text, boolean atStart) {

        boolean matches(String name) {
            return atStart ? name.startsWith(text) : name.contains(text);
        }

        private RowCondition condition() {
            return atStart ? RowCondition.nameStartsWith(text) : RowCondition.nameContains(text);
        }
    }

    /** Conditions on workflows; all of them must hold. */
    record Selection(
            LabelSelector labels,
            FieldSelector fields,
            List<NamePart> names,
            @Nullable Instant createdAfter,
            @Nullable Instant finishedBefore) {

        boolean matches(Row row) {
            return matches(row.namespace(), row.name(), row.phase(), row.labels())
                    && (createdAfter == null || row.created().isAfter(createdAfter))
                    && (finishedBefore == null
                            || (row.finished() != null && row.finished().isBefore(finishedBefore)));
        }

        /** The same as {@link #matches(Row)}, for the read model to select by. */
        RowCondition condition() {
            List<RowCondition> all =
                    new ArrayList<>(List.of(labels.condition(), fields.condition()));
            names.forEach(part -> all.add(part.condition()));
            if (createdAfter != null) {
                all.add(RowCondition.createdAfter(createdAfter));
            }
            if (finishedBefore != null) {
                all.add(RowCondition.finishedBefore(finishedBefore));
            }
            return RowCondition.all(all);
        }

        /** The conditions that also hold for what is gone. */
        boolean matches(
                String namespace,
                String workflow,
                String phase,
                Map<String, String> workflowLabels) {
            return labels.matches(workflowLabels)
                    && names.stream().allMatch(part -> part.matches(workflow))
                    && fields.matches(
                            field ->
                                    switch (field) {
                                        case "metadata.name" -> workflow;
                                        case "metadata.namespace" -> namespace;
                                        case "status.phase" -> phase;
                                        default ->
                                                throw new IllegalStateException(
                                                        field + " was not checked");
                                    });
        }
    }

    /** A page of a list. */
    record Page<T>(List<T> items, String next, long remaining) {

        static <T> Page<T> of(List<T> all, int skip, Optional<Integer> limit) {
            int from = Math.min(skip, all.size());
            int to = limit.map(l -> Math.min(all.size(), from + l)).orElse(all.size());
            return of(all.subList(from, to), from, all.size());
        }

        /**
         * A page that was cut out already.
         *
         * @param skipped how many of all come before it
         */
        static <T> Page<T> of(List<T> items, int skipped, long all) {
            long to = skipped + items.size();
            return new Page<>(items, to < all ? Long.toString(to) : "", Math.max(0, all - to));
        }
    }
}
