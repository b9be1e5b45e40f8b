package dev.millrace.schemas.sensor;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which events of a dependency count. */
public record DependencyFilters(
        @Nullable TimeFilter time,
        @Nullable EventContext context,
        List<DataFilter> data,
        List<ExprFilter> exprs,
        @Nullable String dataLogicalOperator,
        @Nullable String exprLogicalOperator,
        @Nullable String script) {
    public DependencyFilters {
        data = data == null ? List.of() : data;
        exprs = exprs == null ? List.of() : exprs;
    }
}
