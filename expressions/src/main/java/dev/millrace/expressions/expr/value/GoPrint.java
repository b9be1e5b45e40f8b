package dev.millrace.expressions.expr.value;

import dev.millrace.expressions.duration.GoDuration;
import dev.millrace.expressions.gojson.GoTime;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Values as Go's {@code fmt} prints them. */
public final class GoPrint {

    private GoPrint() {}

    /** The text of {@code %v}. */
    public static String print(@Nullable Object value) {
        return print(value, new Visits());
    }

    private static String print(@Nullable Object value, Visits visits) {
        return switch (value) {
            case null -> "<nil>";
            case String s -> s;
            case Double d -> shortest(d);
            case ZonedDateTime t -> GoTime.text(t);
            case Duration d -> GoDuration.format(d);
            case List<?> list -> printList(list, visits);
            case Map<?, ?> map -> printMap(map, visits);
            case GoFunction f -> "0x0";
            default -> value.toString();
        };
    }

    private static String printList(List<?> list, Visits visits) {
        StringBuilder out = new StringBuilder("[");
        visits.enter();
        for (int i = 0; i < list.size(); i++) {
            out.append(i == 0 ? "" : " ").append(print(list.get(i), visits));
            GoText.checkLength(out);
        }
        visits.leave();
        return out.append(']').toString();
    }

    private static String printMap(Map<?, ?> map, Visits visits) {
        List<@Nullable Object> keys = new ArrayList<>(map.keySet());
        keys.sort(GoPrint::compareKeys);
        StringBuilder out = new StringBuilder("map[");
        visits.enter();
        for (int i = 0; i < keys.size(); i++) {
            Object key = keys.get(i);
            out.append(i == 0 ? "" : " ")
                    .append(print(key, visits))
                    .append(':')
                    .append(print(map.get(key), visits));
            GoText.checkLength(out);
        }
        visits.leave();
        return out.append(']').toString();
    }

    private static int compareKeys(@Nullable Object a, @Nullable Object b) {
        if (a != null && b != null && GoType.isNumber(a) && GoType.isNumber(b)) {
            return Double.compare(GoType.toDouble(a), GoType.toDouble(b));
        }
        return print(a).compareTo(print(b));
    }

    /**
     * A float as {@code %v} prints it: the shortest digits, an exponent below 1e-4 and from 1e21
     * on.
     */
    public static String shortest(double value) {
        String special = special(value);
        if (special != null) {
            return special;
        }
        double size = Math.abs(value);
        if (size < 1e-4 || size >= 1e6) {
            return exponent(value);
        }
        return plain(value);
    }

    /** A float without an exponent, with the fewest digits that read back as the same number. */
    public static String plain(double value) {
        String special = special(value);
        if (special != null) {
            return special;
        }
        String digits = new BigDecimal(Double.toString(value)).toPlainString();
        if (digits.indexOf('.') < 0) {
            return digits;
        }
        int end = digits.length();
        while (digits.charAt(end - 1) == '0') {
            end--;
        }
        return digits.substring(0, digits.charAt(end - 1) == '.' ? end - 1 : end);
    }

    private static String exponent(double value) {
        BigDecimal number = new BigDecimal(Double.toString(value)).stripTrailingZeros();
        String digits = number.unscaledValue().abs().toString();
        int exponent = digits.length() - 1 - number.scale();
        String fraction = digits.length() > 1 ? "." + digits.substring(1) : "";
        String power = Integer.toString(Math.abs(exponent));
        return (value < 0 ? "-" : "")
                + digits.charAt(0)
                + fraction
                + (exponent < 0 ? "e-" : "e+")
                + (power.length() < 2 ? "0" : "")
                + power;
    }

    private static @Nullable String special(double value) {
        if (Double.isNaN(value)) {
            return "NaN";
        }
        if (Double.isInfinite(value)) {
            return value > 0 ? "+Inf" : "-Inf";
        }
        if (value == 0) {
            return 1 / value < 0 ? "-0" : "0";
        }
        return null;
    }

    /** The text of {@code %q}: a string literal of Go. */
    public static String quote(String text) {
        StringBuilder out = new StringBuilder("\"");
        text.codePoints()
                .forEach(
                        c -> {
                            switch (c) {
                                case '"' -> out.append("\\\"");
                                case '\\' -> out.append("\\\\");
                                case '\n' -> out.append("\\n");
                                case '\r' -> out.append("\\r");
                                case '\t' -> out.append("\\t");
                                case 0x07 -> out.append("\\a");
                                case '\b' -> out.append("\\b");
                                case '\f' -> out.append("\\f");
                                case 0x0b -> out.append("\\v");
                                default -> {
                                    if (c < 0x20 || c == 0x7f) {
                                        out.append(String.format("\\x%02x", c));
                                    } else if (c >= 0x80 && !printable(c)) {
                                        out.append(
                                                String.format(
                                                        c > 0xffff ? "\\U%08x" : "\\u%04x", c));
                                    } else {
                                        out.appendCodePoint(c);
                                    }
                                }
                            }
                        });
        return out.append('"').toString();
    }

    private static boolean printable(int c) {
        int type = Character.getType(c);
        return type != Character.CONTROL
                && type != Character.FORMAT
                && type != Character.SURROGATE
                && type != Character.PRIVATE_USE
                && type != Character.UNASSIGNED
                && type != Character.LINE_SEPARATOR
                && type != Character.PARAGRAPH_SEPARATOR
                && type != Character.SPACE_SEPARATOR;
    }
}
