package dev.millrace.expressions.expr;

import dev.millrace.expressions.expr.Builtins.Signature;
import dev.millrace.expressions.expr.value.GoFunction;
import dev.millrace.expressions.expr.value.GoInteger;
import dev.millrace.expressions.expr.value.GoOperators;
import dev.millrace.expressions.expr.value.GoPanic;
import dev.millrace.expressions.expr.value.GoType;
import dev.millrace.expressions.expr.value.Visits;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import org.jspecify.annotations.Nullable;

/** Built-in functions over numbers. */
final class NumberBuiltins {

    private NumberBuiltins() {}

    private interface BitOperation {
        long apply(long a, long b);
    }

    static void addTo(Map<String, Signature> table) {
        table.put("abs", new Signature("n", 1, 1, StaticType.UNKNOWN, a -> abs(a.get(0))));
        table.put("ceil", rounding("ceil", Math::ceil));
        table.put("floor", rounding("floor", Math::floor));
        // Halves go away from zero, unlike Math.round and Math.rint.
        table.put("round", rounding("round", NumberBuiltins::round));
        table.put("int", new Signature("p", 1, 1, StaticType.INTEGER, a -> toInt(a.get(0))));
        table.put("float", new Signature("p", 1, 1, StaticType.FLOAT, a -> toFloat(a.get(0))));
        table.put(
                "max", new Signature("d", 1, -1, StaticType.UNKNOWN, a -> extreme("max", a, ">")));
        table.put(
                "min", new Signature("d", 1, -1, StaticType.UNKNOWN, a -> extreme("min", a, "<")));
        table.put(
                "mean", new Signature("d", 1, -1, StaticType.UNKNOWN, a -> mean(flat("mean", a))));
        table.put(
                "median",
                new Signature("d", 1, -1, StaticType.UNKNOWN, a -> median(flat("median", a))));
        table.put("bitand", bits("bitand", (a, b) -> a & b));
        table.put("bitor", bits("bitor", (a, b) -> a | b));
        table.put("bitxor", bits("bitxor", (a, b) -> a ^ b));
        table.put("bitnand", bits("bitnand", (a, b) -> a & ~b));
        table.put("bitshl", bits("bitshl", (a, b) -> shift(b) ? a << b : 0));
        table.put("bitshr", bits("bitshr", (a, b) -> shift(b) ? a >> b : a < 0 ? -1 : 0));
        table.put("bitushr", bits("bitushr", (a, b) -> shift(b) ? a >>> b : 0));
        table.put(
                "bitnot",
                new Signature("i", 1, 1, StaticType.INTEGER, a -> ~bitOperand("bitnot", a.get(0))));
    }

    private static Signature rounding(String name, DoubleUnaryOperator operation) {
        GoFunction body = a -> operation.applyAsDouble(GoType.toDouble(number(name, a.get(0))));
        return new Signature("n", 1, 1, StaticType.FLOAT, body);
    }

    static double round(double value) {
        return Double.isInfinite(value) || Math.abs(value) >= 1L << 52
                ? value
                : Math.copySign(
                        Math.floor(Math.abs(value)) + (Math.abs(value) % 1 >= 0.5 ? 1 : 0), value);
    }

    private static Signature bits(String name, BitOperation operation) {
        GoFunction body =
                a -> operation.apply(bitOperand(name, a.get(0)), bitOperand(name, a.get(1)));
        return new Signature("ii", 2, 2, StaticType.INTEGER, body);
    }

    private static long bitOperand(String name, @Nullable Object value) {
        if (value == null || !GoType.isInteger(value)) {
            throw new GoPanic(
                    "cannot use " + GoType.name(value) + " as argument (type int) to call " + name);
        }
        return GoType.toLong(value);
    }

    /** Whether a shift by that many bits leaves something. */
    private static boolean shift(long bits) {
        if (bits < 0) {
            throw new GoPanic("invalid operation: negative shift count " + bits + " (type int)");
        }
        return bits < 64;
    }

    private static Object number(String name, @Nullable Object value) {
        if (value == null || !GoType.isNumber(value)) {
            throw new GoPanic(
                    "invalid argument for " + name + " (type " + GoType.name(value) + ")");
        }
        return value;
    }

    private static Object abs(@Nullable Object value) {
        return switch (number("abs", value)) {
            case Double d -> d < 0 ? -d : d;
            case GoInteger i -> i.value() < 0 ? new GoInteger(i.type(), -i.value(), null) : i;
            case Object other -> Math.abs(GoType.toLong(other));
        };
    }

    static Long toInt(@Nullable Object value) {
        if (value instanceof String text) {
            try {
                return Long.parseLong(text);
            } catch (NumberFormatException e) {
                throw new GoPanic("invalid operation: int(" + text + ")");
            }
        }
        if (value == null || !GoType.isNumber(value)) {
            throw new GoPanic("invalid operation: int(" + GoType.name(value) + ")");
        }
        return GoType.toLong(value);
    }

    static Double toFloat(@Nullable Object value) {
        if (value instanceof String text) {
            Double number = parseDouble(text);
            if (number == null) {
                throw new GoPanic("invalid operation: float(" + text + ")");
            }
            return number;
        }
        if (value == null || !GoType.isNumber(value)) {
            throw new GoPanic("invalid operation: float(" + GoType.name(value) + ")");
        }
        return GoType.toDouble(value);
    }

    /** Go's ParseFloat: unlike Java it takes no surrounding space and no type suffix. */
    static @Nullable Double parseDouble(String text) {
        String lower = text.toLowerCase(java.util.Locale.ROOT);
        String size = lower.startsWith("-") || lower.startsWith("+") ? lower.substring(1) : lower;
        if (size.equals("inf") || size.equals("infinity")) {
            return lower.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
        }
        if (size.equals("nan")) {
            return Double.NaN;
        }
        if (size.isEmpty() || size.chars().anyMatch(c -> "0123456789.e+-".indexOf(c) < 0)) {
            return null;
        }
        try {
            double value = Double.parseDouble(lower);
            return Double.isInfinite(value) ? null : value;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private static List<Object> flat(String name, List<? extends @Nullable Object> values) {
        List<Object> numbers = new ArrayList<>();
        collect(name, values, numbers, new Visits());
        return numbers;
    }

    private static void collect(
            String name,
            List<? extends @Nullable Object> values,
            List<Object> into,
            Visits visits) {
        visits.enter();
        for (Object value : values) {
            if (value instanceof List<?> inner) {
                collect(name, inner, into, visits);
            } else {
                into.add(number(name, value));
            }
        }
        visits.leave();
    }

    private static @Nullable Object extreme(
            String name, List<? extends @Nullable Object> values, String operator) {
        if (values.size() == 1 && !(values.get(0) instanceof List)) {
            return values.get(0);
        }
        Object best = null;
        for (Object value : flat(name, values)) {
            if (best == null || GoOperators.less(value, best, operator)) {
                best = value;
            }
        }
        return best;
    }

    private static Double mean(List<Object> numbers) {
        double sum = 0;
        for (Object number : numbers) {
            sum += GoType.toDouble(number);
        }
        return numbers.isEmpty() ? 0.0 : sum / numbers.size();
    }

    private static Double median(List<Object> numbers) {
        double[] sorted = numbers.stream().mapToDouble(GoType::toDouble).sorted().toArray();
        if (sorted.length == 0) {
            return 0.0;
        }
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
