package dev.millrace.expressions.sprig;

import dev.millrace.expressions.expr.value.GoInteger;
import dev.millrace.expressions.expr.value.GoList;
import dev.millrace.expressions.expr.value.GoPanic;
import dev.millrace.expressions.expr.value.GoType;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.function.LongBinaryOperator;
import org.jspecify.annotations.Nullable;

/** Arithmetic, and reading numbers from any value: what is no number is zero. */
final class NumberFunctions {

    private static final int MAX_ELEMENTS = 1_000_000;
    private static final int DECIMAL_PLACES = 16;

    private NumberFunctions() {}

    static void addTo(Map<String, SprigFunction> table) {
        table.put("atoi", a -> parseLong(a.text(0), 10));
        table.put("int", a -> toLong(a.get(0)));
        table.put("int64", a -> GoInteger.int64(toLong(a.get(0))));
        table.put("float64", a -> toDouble(a.get(0)));
        table.put("toDecimal", a -> GoInteger.int64(parseLong(Arguments.shown(a.get(0)), 8)));
        table.put("add1", a -> GoInteger.int64(toLong(a.get(0)) + 1));
        table.put("add", a -> fold(a, 0, Long::sum));
        table.put("sub", a -> GoInteger.int64(toLong(a.get(0)) - toLong(a.get(1))));
        table.put("mul", a -> fold(a, 1, (x, y) -> x * y));
        table.put("div", a -> GoInteger.int64(toLong(a.get(0)) / divisor(a)));
        table.put("mod", a -> GoInteger.int64(toLong(a.get(0)) % divisor(a)));
        table.put("max", a -> fold(a, toLong(a.get(0)), Math::max));
        table.put("biggest", a -> fold(a, toLong(a.get(0)), Math::max));
        table.put("min", a -> fold(a, toLong(a.get(0)), Math::min));
        table.put(
                "maxf",
                a ->
                        a.values().stream()
                                .mapToDouble(NumberFunctions::toDouble)
                                .reduce(toDouble(a.get(0)), Math::max));
        table.put(
                "minf",
                a ->
                        a.values().stream()
                                .mapToDouble(NumberFunctions::toDouble)
                                .reduce(toDouble(a.get(0)), Math::min));
        table.put("add1f", a -> decimal(a.get(0)).add(BigDecimal.ONE).doubleValue());
        table.put("addf", a -> decimals(a, BigDecimal::add));
        table.put("subf", a -> decimals(a, BigDecimal::subtract));
        table.put("mulf", a -> decimals(a, BigDecimal::multiply));
        table.put(
                "divf",
                a ->
                        decimals(
                                a,
                                (x, y) -> {
                                    if (y.signum() == 0) {
                                        throw new GoPanic("decimal division by 0");
                                    }
                                    return x.divide(y, DECIMAL_PLACES, RoundingMode.HALF_UP);
                                }));
        table.put("ceil", a -> Math.ceil(toDouble(a.get(0))));
        table.put("floor", a -> Math.floor(toDouble(a.get(0))));
        table.put(
                "round",
                a ->
                        round(
                                toDouble(a.get(0)),
                                toDouble(a.get(1)),
                                a.size() > 2 ? toDouble(a.get(2)) : 0.5));
        table.put(
                "until",
                a -> {
                    int count = a.integer(0);
                    return GoList.of("[]int", steps(0, count, count < 0 ? -1 : 1));
                });
        table.put(
                "untilStep",
                a -> GoList.of("[]int", steps(a.integer(0), a.integer(1), a.integer(2))));
        table.put("seq", NumberFunctions::sequence);
    }

    private static GoInteger fold(Arguments a, long start, LongBinaryOperator operation) {
        long result = start;
        for (Object value : a.values()) {
            result = operation.applyAsLong(result, toLong(value));
        }
        return GoInteger.int64(result);
    }

    private static long divisor(Arguments a) {
        long divisor = toLong(a.get(1));
        if (divisor == 0) {
            throw new GoPanic("runtime error: integer divide by zero");
        }
        return divisor;
    }

    private static Double decimals(Arguments a, BinaryOperator<BigDecimal> operation) {
        BigDecimal result = decimal(a.get(0));
        for (Object value : a.from(1)) {
            result = operation.apply(result, decimal(value));
        }
        return result.doubleValue();
    }

    private static BigDecimal decimal(@Nullable Object value) {
        double number = toDouble(value);
        return Double.isFinite(number) ? new BigDecimal(Double.toString(number)) : BigDecimal.ZERO;
    }

    private static long parseLong(String text, int radix) {
        try {
            return Long.parseLong(text, radix);
        } catch (NumberFormatException e) {
            // Sprig takes what is no number for zero.
            return 0;
        }
    }

    static long toLong(@Nullable Object value) {
        return switch (value) {
            case null -> 0;
            case Boolean bool -> bool ? 1 : 0;
            case String text -> literal(text);
            case Object other -> GoType.isNumber(other) ? GoType.toLong(other) : 0;
        };
    }

    /**
     * A whole number in Go's notation: {@code 0x1f}, {@code 0b1}, {@code 0o17}, {@code 017}, {@code
     * 1_000}; 0 for anything else.
     */
    private static long literal(String text) {
        String number = text.toLowerCase(Locale.ROOT);
        if (number.matches("[+-]?\\d+\\.0*")) {
            number = number.substring(0, number.indexOf('.'));
        }
        String sign = number.startsWith("-") ? "-" : "";
        String digits =
                number.startsWith("-") || number.startsWith("+") ? number.substring(1) : number;
        if (digits.startsWith("0x")) {
            return parseLong(sign + digits.substring(2), 16);
        }
        if (digits.startsWith("0b")) {
            return parseLong(sign + digits.substring(2), 2);
        }
        if (digits.startsWith("0o")) {
            return parseLong(sign + digits.substring(2), 8);
        }
        String plain = digits.replace("_", "");
        return parseLong(sign + plain, plain.length() > 1 && plain.startsWith("0") ? 8 : 10);
    }

    static double toDouble(@Nullable Object value) {
        return switch (value) {
            case null -> 0;
            case Boolean bool -> bool ? 1 : 0;
            case String text -> parseDouble(text);
            case Object other -> GoType.isNumber(other) ? GoType.toDouble(other) : 0;
        };
    }

    private static double parseDouble(String text) {
        return text.matches("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?")
                ? Double.parseDouble(text)
                : 0;
    }

    private static double round(double value, double places, double roundOn) {
        double power = Math.pow(10, places);
        double digit = power * value;
        double fraction = digit - (digit < 0 ? Math.ceil(digit) : Math.floor(digit));
        return (fraction >= roundOn ? Math.ceil(digit) : Math.floor(digit)) / power;
    }

    private static List<Long> steps(long start, long stop, long step) {
        List<Long> steps = new ArrayList<>();
        if (step == 0 || (step < 0) != (stop < start)) {
            return steps;
        }
        if ((stop - start) / step > MAX_ELEMENTS) {
            throw new GoPanic("memory budget exceeded");
        }
        for (long i = start; step > 0 ? i < stop : i > stop; i += step) {
            steps.add(i);
        }
        return steps;
    }

    private static String sequence(Arguments a) {
        int count = a.size();
        if (count == 0 || count > 3) {
            return "";
        }
        long start = count == 1 ? 1 : a.integer(0);
        long end = a.integer(count - 1);
        long step = count == 3 ? a.integer(1) : end < start ? -1 : 1;
        if (count == 3 && (step == 0 || (step < 0) != (end < start))) {
            return "";
        }
        List<Long> numbers = steps(start, end + (step < 0 ? -1 : 1), step);
        return String.join(" ", numbers.stream().map(String::valueOf).toList());
    }
}
