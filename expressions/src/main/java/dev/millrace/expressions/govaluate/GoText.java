package dev.millrace.expressions.govaluate;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Values as Go's {@code %v} prints them. */
final class GoText {

    private GoText() {}

    static String of(@Nullable Object value) {
        return switch (value) {
            case null -> "<nil>";
            case Double d -> number(d);
            case List<?> list -> {
                List<String> texts = new ArrayList<>();
                for (Object element : list) {
                    texts.add(of(element));
                }
                yield "[" + String.join(" ", texts) + "]";
            }
            case Map<?, ?> map -> {
                List<String> texts = new ArrayList<>();
                new TreeMap<>(map).forEach((key, element) -> texts.add(key + ":" + of(element)));
                yield "map[" + String.join(" ", texts) + "]";
            }
            default -> value.toString();
        };
    }

    private static String number(double value) {
        if (Double.isNaN(value)) {
            return "NaN";
        }
        if (Double.isInfinite(value)) {
            return value > 0 ? "+Inf" : "-Inf";
        }
        if (value == 0) {
            return 1 / value < 0 ? "-0" : "0";
        }
        BigDecimal exact = new BigDecimal(Double.toString(value)).stripTrailingZeros();
        String digits = exact.unscaledValue().abs().toString();
        int exponent = digits.length() - 1 - exact.scale();
        if (exponent >= -4 && exponent < 21) {
            return exact.toPlainString();
        }
        String fraction = digits.length() > 1 ? "." + digits.substring(1) : "";
        int size = Math.abs(exponent);
        return (value < 0 ? "-" : "")
                + digits.charAt(0)
                + fraction
                + "e"
                + (exponent < 0 ? "-" : "+")
                + (size < 10 ? "0" : "")
                + size;
    }
}
