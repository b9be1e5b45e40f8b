package dev.millrace.sensors.filter;

import dev.millrace.schemas.record.EventRef;
import dev.millrace.schemas.sensor.DependencyFilters;
import dev.millrace.schemas.sensor.EventContext;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The filters of a dependency: expressions, data, context and time, in this order, all of them or
 * (with {@code or}) one of them. With {@code or} a filter that cannot be applied does not spoil
 * another that passes.
 */
public final class DependencyFilter {

    private final @Nullable String operator;
    private final List<Kind> kinds;

    /** One kind of filter over one event. */
    private interface Kind {
        Verdict judge(EventRef event);
    }

    private DependencyFilter(@Nullable String operator, List<Kind> kinds) {
        this.operator = operator;
        this.kinds = List.copyOf(kinds);
    }

    /**
     * @param filters checked for meaning; null or empty lets every event pass
     * @param operator between the kinds
     */
    public static DependencyFilter of(
            @Nullable DependencyFilters filters, @Nullable String operator) {
        List<Kind> kinds = new ArrayList<>();
        if (filters != null) {
            if (!filters.exprs().isEmpty()) {
                List<ExpressionTest> tests =
                        filters.exprs().stream().map(ExpressionTest::of).toList();
                kinds.add(
                        onData(
                                "expr filter error",
                                filters.exprLogicalOperator(),
                                tests.stream().<DataJudge>map(t -> t::judge).toList()));
            }
            if (!filters.data().isEmpty()) {
                List<DataTest> tests = filters.data().stream().map(DataTest::of).toList();
                kinds.add(
                        onData(
                                "data filter error",
                                filters.dataLogicalOperator(),
                                tests.stream().<DataJudge>map(t -> t::judge).toList()));
            }
            if (filters.context() != null) {
                EventContext context = filters.context();
                kinds.add(event -> context(context, event));
            }
            if (filters.time() != null
                    && TimeWindow.of(filters.time()) instanceof TimeWindow.Parsed window) {
                kinds.add(
                        event ->
                                window.holds(event.time())
                                        ? new Verdict.Passed()
                                        : new Verdict.Rejected(
                                                "time filter: " + event.time() + " is outside"));
            }
        }
        return new DependencyFilter(operator, kinds);
    }

    /** Whether the event counts. */
    public Verdict judge(EventRef event) {
        if (kinds.isEmpty()) {
            return new Verdict.Passed();
        }
        return Verdict.combined(
                operator,
                kinds.stream().<Supplier<Verdict>>map(k -> () -> k.judge(event)).toList());
    }

    private interface DataJudge {
        Verdict judge(String data);
    }

    /** An event without data passes: there is nothing to look at. */
    private static Kind onData(String error, @Nullable String operator, List<DataJudge> tests) {
        return event -> {
            if (event.data().isEmpty()) {
                return new Verdict.Passed();
            }
            Verdict verdict =
                    Verdict.combined(
                            operator,
                            tests.stream()
                                    .<Supplier<Verdict>>map(t -> () -> t.judge(event.data()))
                                    .toList());
            return switch (verdict) {
                case Verdict.Passed _, Verdict.Rejected _ -> verdict;
                case Verdict.Failed(String message) ->
                        new Verdict.Failed(error + " (" + message + ")");
            };
        };
    }

    private static Verdict context(EventContext wanted, EventRef event) {
        if (differs(wanted.type(), event.type())
                || differs(wanted.subject(), event.subject())
                || differs(wanted.source(), event.source())
                || differs(wanted.datacontenttype(), event.dataContentType())) {
            return new Verdict.Rejected("context filter: an attribute is not the wanted one");
        }
        return new Verdict.Passed();
    }

    private static boolean differs(@Nullable String wanted, @Nullable String is) {
        return wanted != null && !wanted.isEmpty() && !wanted.equals(is);
    }
}
