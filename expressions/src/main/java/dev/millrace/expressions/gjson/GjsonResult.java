package dev.millrace.expressions.gjson;

import dev.millrace.expressions.gojson.GoJson;
import dev.millrace.expressions.gojson.GoJsonException;
import java.math.BigDecimal;
import java.util.Locale;

/**
 * What a path found.
 *
 * @param type the kind of the value; {@link Type#NULL} for an absent one too
 * @param raw the JSON text of the value; empty if absent
 * @param text the value as text: a string without quotes, a whole number as it was written, other
 *     numbers without exponent, an array or object raw, null and absent empty
 * @param exists whether the path led somewhere; a null exists
 * @param bool true for {@code true}, a number other than 0, and a string such as {@code "true"},
 *     {@code "T"} or {@code "1"}
 * @param number the number, or the number in a string; 1 for {@code true}; else 0
 */
public record GjsonResult(
        Type type, String raw, String text, boolean exists, boolean bool, double number) {

    /** Kinds of JSON values. */
    public enum Type {
        NULL,
        FALSE,
        NUMBER,
        STRING,
        TRUE,
        JSON
    }

    static final GjsonResult ABSENT = new GjsonResult(Type.NULL, "", "", false, false, 0);

    /** The value that a JSON text is; absent if it is none. */
    static GjsonResult of(String raw) {
        if (raw.isEmpty()) {
            return ABSENT;
        }
        return switch (raw.charAt(0)) {
            case '{', '[' -> new GjsonResult(Type.JSON, raw, raw, true, false, 0);
            case '"' -> string(raw);
            case 't' -> new GjsonResult(Type.TRUE, raw, "true", true, true, 1);
            case 'f' -> new GjsonResult(Type.FALSE, raw, "false", true, false, 0);
            case 'n' -> new GjsonResult(Type.NULL, raw, "", true, false, 0);
            case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number(raw);
            default -> ABSENT;
        };
    }

    private static GjsonResult string(String raw) {
        String text = unquoted(raw);
        boolean bool =
                switch (text.toLowerCase(Locale.ROOT)) {
                    case "1", "t", "true" -> true;
                    default -> false;
                };
        return new GjsonResult(Type.STRING, raw, text, true, bool, parsed(text));
    }

    /** A string without its quotes; one that is not valid JSON as it stands. */
    static String unquoted(String raw) {
        String inside =
                raw.length() >= 2 && raw.endsWith("\"")
                        ? raw.substring(1, raw.length() - 1)
                        : raw.substring(1);
        try {
            return GoJson.unescape(inside);
        } catch (GoJsonException e) {
            return inside;
        }
    }

    private static GjsonResult number(String raw) {
        double number = parsed(raw);
        boolean whole =
                raw.chars().skip(raw.startsWith("-") ? 1 : 0).allMatch(c -> c >= '0' && c <= '9');
        String text =
                whole || Double.isInfinite(number)
                        ? raw
                        : new BigDecimal(Double.toString(number))
                                .stripTrailingZeros()
                                .toPlainString();
        return new GjsonResult(Type.NUMBER, raw, text, true, number != 0, number);
    }

    private static double parsed(String text) {
        // Java would take "1d" and " 1" too.
        if (text.isEmpty()
                || "+-.0123456789".indexOf(text.charAt(0)) < 0
                || !Character.isDigit(text.charAt(text.length() - 1))) {
            return 0;
        }
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
