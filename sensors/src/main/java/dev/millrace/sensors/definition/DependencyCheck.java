package dev.millrace.sensors.definition;

import dev.millrace.schemas.sensor.DataFilter;
import dev.millrace.schemas.sensor.DependencyFilters;
import dev.millrace.schemas.sensor.EventContext;
import dev.millrace.schemas.sensor.EventDependency;
import dev.millrace.schemas.sensor.ExprFilter;
import dev.millrace.schemas.sensor.SensorSpec;
import dev.millrace.schemas.sensor.TimeFilter;
import dev.millrace.schemas.yaml.DocumentPath;
import dev.millrace.sensors.filter.TimeWindow;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The rules for {@code spec.dependencies}. The words are those that users of the field know. */
final class DependencyCheck {

    private static final Set<String> OPERATORS = Set.of("", "and", "or");
    private static final Set<String> COMPARATORS = Set.of("", "=", "!=", "<", "<=", ">", ">=");

    private final SensorSpec spec;
    private final List<SensorProblem> problems = new ArrayList<>();

    DependencyCheck(SensorSpec spec) {
        this.spec = spec;
    }

    List<SensorProblem> problems() {
        DocumentPath all = DocumentPath.ROOT.key("spec").key("dependencies");
        if (spec.dependencies().isEmpty()) {
            add(all, "no event dependencies found", "name the events to wait for");
        }
        Set<String> names = new HashSet<>();
        for (int i = 0; i < spec.dependencies().size(); i++) {
            EventDependency d = spec.dependencies().get(i);
            DocumentPath path = all.index(i);
            required(d.name(), path.key("name"), "event dependency must define a name");
            required(
                    d.eventSourceName(),
                    path.key("eventSourceName"),
                    "event dependency must define the EventSourceName");
            required(
                    d.eventName(),
                    path.key("eventName"),
                    "event dependency must define the EventName");
            if (d.name() != null && !names.add(d.name())) {
                add(
                        path.key("name"),
                        "two dependencies are called " + d.name(),
                        "give each its own name");
            }
            operator(d.filtersLogicalOperator(), path.key("filtersLogicalOperator"));
            if (d.filters() != null) {
                filters(d.filters(), path.key("filters"));
            }
        }
        return problems;
    }

    private void filters(DependencyFilters filters, DocumentPath path) {
        operator(filters.exprLogicalOperator(), path.key("exprLogicalOperator"));
        operator(filters.dataLogicalOperator(), path.key("dataLogicalOperator"));
        for (int i = 0; i < filters.exprs().size(); i++) {
            expr(filters.exprs().get(i), path.key("exprs").index(i));
        }
        for (int i = 0; i < filters.data().size(); i++) {
            data(filters.data().get(i), path.key("data").index(i));
        }
        if (filters.context() != null) {
            context(filters.context(), path.key("context"));
        }
        if (filters.time() != null) {
            time(filters.time(), path.key("time"));
        }
    }

    private void expr(ExprFilter filter, DocumentPath path) {
        if (isEmpty(filter.expr()) || filter.fields().isEmpty()) {
            add(
                    path,
                    "one of expr filters is not valid (expr and fields must be not empty)",
                    "an expression sees only the values that fields name");
            return;
        }
        for (int i = 0; i < filter.fields().size(); i++) {
            ExprFilter.PayloadField field = filter.fields().get(i);
            if (isEmpty(field.path()) || isEmpty(field.name())) {
                add(
                        path.key("fields").index(i),
                        "one of expr filters fields is not valid (path and name must be not empty)",
                        "");
            }
        }
    }

    private void data(DataFilter filter, DocumentPath path) {
        if (!COMPARATORS.contains(orEmpty(filter.comparator()))) {
            add(
                    path.key("comparator"),
                    "comparator " + filter.comparator() + " not supported",
                    "one of = != < <= > >=");
        } else if (isEmpty(filter.path()) || isEmpty(filter.type()) || filter.value().isEmpty()) {
            add(
                    path,
                    "one of data filters is not valid (type, path and value must be not empty)",
                    "");
        } else if (filter.value().stream().anyMatch(DependencyCheck::isEmpty)) {
            add(
                    path.key("value"),
                    "one of data filters is not valid (value must be not empty)",
                    "write ^$ to match an empty text");
        }
    }

    private void context(EventContext context, DocumentPath path) {
        boolean empty =
                Stream.of(
                                context.type(),
                                context.subject(),
                                context.source(),
                                context.datacontenttype())
                        .allMatch(DependencyCheck::isEmpty);
        if (empty) {
            add(
                    path,
                    "no fields specified in ctx filter (aka all events will be discarded)",
                    "type, subject, source and datacontenttype are compared, nothing else");
        }
    }

    private void time(TimeFilter filter, DocumentPath path) {
        switch (TimeWindow.of(filter)) {
            case TimeWindow.Parsed _ -> {}
            case TimeWindow.Invalid(String field, String message) ->
                    add(path.key(field), message, "");
        }
    }

    private void operator(@Nullable String operator, DocumentPath path) {
        if (!OPERATORS.contains(orEmpty(operator))) {
            add(path, "logical operator " + operator + " not supported", "and or or");
        }
    }

    private void required(@Nullable String value, DocumentPath path, String message) {
        if (isEmpty(value)) {
            add(path, message, "");
        }
    }

    private void add(DocumentPath path, String message, String hint) {
        problems.add(SensorProblem.dependency(path, message, hint));
    }

    private static boolean isEmpty(@Nullable String text) {
        return text == null || text.isEmpty();
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
