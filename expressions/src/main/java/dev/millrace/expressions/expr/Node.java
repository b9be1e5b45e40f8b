package dev.millrace.expressions.expr;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The syntax tree. {@code at} is the place that an error of the node is reported at, in code
 * points.
 */
sealed interface Node {

    int at();

    /** A literal: Long, Double, String, Boolean or null. */
    record Constant(@Nullable Object value, int at) implements Node {}

    record Identifier(String name, int at) implements Node {}

    record Unary(String operator, Node operand, int at) implements Node {}

    record Binary(String operator, Node left, Node right, int at) implements Node {}

    /** Bounds what {@code ?.} skips when it meets nil. */
    record Chain(Node node, int at) implements Node {}

    record Member(Node object, Node property, boolean optional, int at) implements Node {}

    record Slice(Node object, @Nullable Node from, @Nullable Node to, int at) implements Node {}

    record Call(Node callee, List<Node> arguments, int at) implements Node {}

    /** A call of a built-in function; some arguments may be {@link Predicate}s. */
    record Builtin(String name, List<Node> arguments, int at) implements Node {}

    record Predicate(Node body, int at) implements Node {}

    /** {@code #}, {@code #index} or {@code #acc}; the name is without the sign. */
    record Pointer(String name, int at) implements Node {}

    record Let(String name, Node value, Node body, int at) implements Node {}

    record Conditional(Node condition, Node yes, Node no, int at) implements Node {}

    record ListLiteral(List<Node> elements, int at) implements Node {}

    record MapLiteral(List<Entry> entries, int at) implements Node {}

    record Entry(Node key, Node value) {}

    /** Expressions separated by semicolons; the last is the value. */
    record Sequence(List<Node> nodes, int at) implements Node {}
}
