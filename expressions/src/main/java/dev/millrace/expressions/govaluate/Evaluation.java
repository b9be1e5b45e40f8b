package dev.millrace.expressions.govaluate;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One evaluation: walks the tree, leaves out what need not be known, and checks types. */
final class Evaluation {

    private final Function<String, @Nullable Object> parameters;
    private final Object absent;

    /**
     * @param absent what {@code parameters} gives for a name it does not know
     */
    Evaluation(Function<String, @Nullable Object> parameters, Object absent) {
        this.parameters = parameters;
        this.absent = absent;
    }

    @Nullable Object run(Stage stage) {
        return switch (stage) {
            case Stage.Literal(Object value) -> value;
            case Stage.Parameter(String name) -> parameter(name);
            case Stage.Accessor(List<String> names) -> accessor(names);
            case Stage.Clause(Stage inner) -> run(inner);
            case Stage.Prefix(String sign, Stage right) -> Arithmetic.prefix(sign, run(right));
            case Stage.Binary binary -> chain(binary);
        };
    }

    /**
     * Long chains such as {@code a || b || c ...} lean to the left; they are walked in a loop to
     * spare the stack.
     */
    private @Nullable Object chain(Stage.Binary top) {
        Deque<Stage.Binary> spine = new ArrayDeque<>();
        Stage leftmost = top;
        while (leftmost instanceof Stage.Binary binary) {
            spine.push(binary);
            leftmost = binary.left();
        }
        Object value = run(leftmost);
        // A list may come from a parameter, which is not ours to change; once copied it is appended
        // to in place.
        boolean ownList = false;
        for (Stage.Binary binary : spine) {
            if (binary.operator() == Operator.SEPARATOR) {
                List<@Nullable Object> list = ownList ? own(value) : listOf(value);
                list.add(run(binary.right()));
                value = list;
                ownList = true;
            } else {
                value = apply(binary, value);
                ownList = false;
            }
        }
        return value;
    }

    @SuppressWarnings("unchecked") // It was made by listOf.
    private static List<@Nullable Object> own(@Nullable Object value) {
        return (List<@Nullable Object>) java.util.Objects.requireNonNull(value);
    }

    private static List<@Nullable Object> listOf(@Nullable Object first) {
        List<@Nullable Object> list = new ArrayList<>();
        if (first instanceof List<?> known) {
            list.addAll(known);
        } else {
            list.add(first);
        }
        return list;
    }

    private @Nullable Object apply(Stage.Binary binary, @Nullable Object left) {
        Operator operator = binary.operator();
        boolean decided =
                switch (operator) {
                    case AND, TERNARY_TRUE -> Boolean.FALSE.equals(left);
                    case OR -> Boolean.TRUE.equals(left);
                    case COALESCE, TERNARY_FALSE -> left != null;
                    default -> false;
                };
        if (decided) {
            // "false ? x" is nil, so that the other branch is taken.
            return operator == Operator.TERNARY_TRUE ? null : left;
        }
        return Arithmetic.binary(operator, left, run(binary.right()));
    }

    private @Nullable Object parameter(String name) {
        Object value = parameters.apply(name);
        if (value == absent) {
            throw new GovaluateException("No parameter '" + name + "' found.");
        }
        return value instanceof Number number ? (Object) number.doubleValue() : value;
    }

    private @Nullable Object accessor(List<String> names) {
        Object value = parameter(names.getFirst());
        for (String name : names.subList(1, names.size())) {
            if (!(value instanceof Map<?, ?> map)) {
                throw new GovaluateException(
                        "Unable to access '"
                                + name
                                + "', '"
                                + names.getFirst()
                                + "' is not a struct");
            }
            if (!map.containsKey(name)) {
                throw new GovaluateException(
                        "No method or field '"
                                + name
                                + "' present on parameter '"
                                + names.getFirst()
                                + "'");
            }
            value = map.get(name);
        }
        return value instanceof Number number ? (Object) number.doubleValue() : value;
    }
}
