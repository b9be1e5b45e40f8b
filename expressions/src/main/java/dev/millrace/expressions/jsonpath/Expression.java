package dev.millrace.expressions.jsonpath;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An expression inside a filter or script. */
sealed interface Expression {

    record Literal(@Nullable Object value) implements Expression {}

    /** A path from the root ({@code $}) or from the current value ({@code @}). */
    record Query(boolean fromRoot, List<Segment> segments) implements Expression {}

    record Operation(String operator, Expression left, Expression right) implements Expression {

        Object apply(@Nullable Object a, @Nullable Object b) {
            switch (operator) {
                case "&&" -> {
                    return truthy(a) && truthy(b);
                }
                case "||" -> {
                    return truthy(a) || truthy(b);
                }
                case "==" -> {
                    return same(a, b);
                }
                case "!=" -> {
                    return !same(a, b);
                }
                default -> {}
            }
            if (!(a instanceof Number left) || !(b instanceof Number right)) {
                throw new JsonPathException(
                        "invalid expression. invalid argument. expected number for " + operator);
            }
            double x = left.doubleValue();
            double y = right.doubleValue();
            boolean whole = x == Math.rint(x) && y == Math.rint(y);
            return switch (operator) {
                case "<" -> x < y;
                case "<=" -> x <= y;
                case ">" -> x > y;
                case ">=" -> x >= y;
                case "+" -> x + y;
                case "-" -> x - y;
                case "*" -> x * y;
                case "/", "%" -> {
                    if (y == 0) {
                        throw new JsonPathException("invalid expression. cannot divide by zero");
                    }
                    double quotient = x / y;
                    // Two whole numbers divide to a whole number.
                    yield operator.equals("%")
                            ? x % y
                            : whole ? (double) (long) quotient : quotient;
                }
                default ->
                        throw new JsonPathException(
                                "invalid expression. unknown operator " + operator);
            };
        }
    }

    /**
     * @throws JsonPathException if a path leads nowhere or an operator does not fit its operands
     */
    default @Nullable Object evaluate(@Nullable Object root, @Nullable Object current) {
        return switch (this) {
            case Literal literal -> literal.value();
            case Query query ->
                    Walk.from(root, query.fromRoot() ? root : current, query.segments());
            case Operation operation ->
                    operation.apply(
                            operation.left().evaluate(root, current),
                            operation.right().evaluate(root, current));
        };
    }

    /** Whether a value counts as yes: not null, false, zero or empty. */
    static boolean truthy(@Nullable Object value) {
        return switch (value) {
            case null -> false;
            case Boolean bool -> bool;
            case Number number -> number.doubleValue() != 0;
            case String text -> !text.isEmpty();
            case List<?> list -> !list.isEmpty();
            case Map<?, ?> map -> !map.isEmpty();
            default -> true;
        };
    }

    private static boolean same(@Nullable Object a, @Nullable Object b) {
        if (a instanceof Number x && b instanceof Number y) {
            return x.doubleValue() == y.doubleValue();
        }
        if (a instanceof List<?> x && b instanceof List<?> y) {
            boolean same = x.size() == y.size();
            for (int i = 0; same && i < x.size(); i++) {
                same = same(x.get(i), y.get(i));
            }
            return same;
        }
        if (a instanceof Map<?, ?> x && b instanceof Map<?, ?> y) {
            return x.size() == y.size()
                    && x.entrySet().stream()
                            .allMatch(
                                    e ->
                                            y.containsKey(e.getKey())
                                                    && same(e.getValue(), y.get(e.getKey())));
        }
        return Objects.equals(a, b);
    }
}
