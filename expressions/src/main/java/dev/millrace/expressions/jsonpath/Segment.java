package dev.millrace.expressions.jsonpath;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** One step of a path, from a value to its members. */
sealed interface Segment {

    /** The member of that name; {@code length} is also the size of what has no such member. */
    record Key(String name) implements Segment {}

    /** The element at the index; negative ones count from the end. */
    record Index(long index) implements Segment {}

    /** The member or element that an expression names, such as {@code (@.length-1)}. */
    record Script(Expression expression) implements Segment {}

    record Wildcard() implements Segment {}

    record Union(List<Segment> members) implements Segment {}

    /**
     * Elements from (included) to (excluded); a negative step gives the same part backwards. Null
     * where it is left out.
     */
    record Range(@Nullable Expression from, @Nullable Expression to, @Nullable Expression step)
            implements Segment {}

    record Filter(Expression condition) implements Segment {}

    /** The value and everything below it, each followed by the member. */
    record Recursive(Segment member) implements Segment {}
}
