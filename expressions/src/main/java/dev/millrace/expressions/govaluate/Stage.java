package dev.millrace.expressions.govaluate;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A node of the parsed condition. */
sealed interface Stage {

    /** A double, boolean, string, pattern, or nil where an operand is missing. */
    record Literal(@Nullable Object value) implements Stage {}

    record Parameter(String name) implements Stage {}

    /** A field of a parameter, and so on. */
    record Accessor(List<String> names) implements Stage {}

    record Prefix(String sign, Stage right) implements Stage {}

    record Binary(Operator operator, Stage left, Stage right) implements Stage {}

    /** What stands in parentheses. */
    record Clause(Stage inner) implements Stage {}
}
