package dev.millrace.server.api;

import dev.millrace.server.command.RefusedException;
import dev.millrace.server.readmodel.RowCondition;
import dev.millrace.server.readmodel.RowCondition.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A field selector: {@code metadata.name=x,status.phase!=Failed}. */
record FieldSelector(List<Term> terms) {

    /** The fields that workflows can be selected by. */
    static final Map<String, Column> FIELDS =
            Map.of(
                    "metadata.name", Column.NAME,
                    "metadata.namespace", Column.NAMESPACE,
                    "status.phase", Column.PHASE);

    private static final Pattern TERM = Pattern.compile("\\s*([\\w.]+)\\s*(==|=|!=)\\s*(.*?)\\s*");

    record Term(String field, boolean equal, String value) {

        private RowCondition condition() {
            Column column = Objects.requireNonNull(FIELDS.get(field));
            return equal
                    ? RowCondition.isEqual(column, value)
                    : RowCondition.isNotEqual(column, value);
        }
    }

    /**
     * Reads a selector; an empty one selects all.
     *
     * @throws RefusedException if a part cannot be read or names another field
     */
    static FieldSelector parse(String text) {
        List<Term> terms = new ArrayList<>();
        if (text.isBlank()) {
            return new FieldSelector(terms);
        }
        for (String part : text.split(",", -1)) {
            Matcher term = TERM.matcher(part);
            if (!term.matches() || !FIELDS.containsKey(term.group(1))) {
                throw RefusedException.invalid(
                        "the field selector '%s' has '%s'; write metadata.name=, metadata.namespace= or status.phase= (or !=), separated by commas"
                                .formatted(text, part));
            }
            terms.add(new Term(term.group(1), !term.group(2).equals("!="), term.group(3)));
        }
        return new FieldSelector(terms);
    }

    /**
     * @param field gives the value of a field, empty if it has none
     */
    boolean matches(UnaryOperator<String> field) {
        return terms.stream().allMatch(t -> t.equal() == field.apply(t.field()).equals(t.value()));
    }

    /** The same, of rows. */
    RowCondition condition() {
        return RowCondition.all(terms.stream().map(Term::condition).toList());
    }
}
