package dev.millrace.schemas.yaml;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * The meaning of an unquoted scalar by the rules of Go's {@code sigs.k8s.io/yaml}: YAML 1.1 words,
 * Go integer syntax (hexadecimal, octal with a leading 0, binary, underscores), and then JSON
 * numbers, where {@code 1.0} and {@code 1} are the same. Text that looks like a date stays text.
 * Base 60 numbers do not exist.
 */
final class PlainScalar {

    private static final Set<String> TRUE =
            Set.of("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON");
    private static final Set<String> FALSE =
            Set.of("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF");
    private static final Set<String> NULL = Set.of("", "~", "null", "Null", "NULL");
    private static final Set<String> NOT_A_NUMBER = Set.of(".nan", ".NaN", ".NAN");
    private static final Set<String> INFINITE =
            Set.of(".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF", "-.inf", "-.Inf", "-.INF");

    private static final Pattern INTEGER =
            Pattern.compile("[-+]?(?:0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO][0-7]+|[0-9]+)");
    private static final Pattern FLOAT =
            Pattern.compile("[-+]?(?:\\.[0-9]+|[0-9]+(?:\\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?");

    /**
     * From here on Go writes a float with an exponent, so it is no longer spelt like an integer.
     */
    private static final double EXPONENT_FROM = 1e21;

    private static final BigInteger MIN = BigInteger.valueOf(Long.MIN_VALUE);
    private static final BigInteger MAX = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);

    private PlainScalar() {}

    /** The value, or null when it is infinite or not a number: JSON has no such values. */
    static @Nullable JsonNode value(String text) {
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        if (NULL.contains(text)) {
            return nodes.nullNode();
        }
        if (TRUE.contains(text)) {
            return nodes.booleanNode(true);
        }
        if (FALSE.contains(text)) {
            return nodes.booleanNode(false);
        }
        if (NOT_A_NUMBER.contains(text) || INFINITE.contains(text)) {
            return null;
        }
        JsonNode number = number(text);
        return number != null ? number : nodes.stringNode(text);
    }

    /** The number that the text means, or null if it is not one. */
    static @Nullable JsonNode number(String text) {
        if (text.isEmpty() || "+-.0123456789".indexOf(text.charAt(0)) < 0) {
            return null;
        }
        // Underscores may stand between digits, except in a number that starts with a point.
        String plain = text.charAt(0) == '.' ? text : text.replace("_", "");
        BigInteger integer = integer(plain);
        boolean decimalDigits = FLOAT.matcher(plain).matches();
        if (integer != null && (fits(integer) || !decimalDigits)) {
            return node(integer);
        }
        if (!decimalDigits) {
            return null;
        }
        double value = Double.parseDouble(plain);
        return Double.isInfinite(value) ? null : node(value);
    }

    /** A double as the JSON number that Go writes for it. */
    static JsonNode node(double value) {
        boolean negativeZero = value == 0 && 1 / value < 0;
        if (value == Math.rint(value) && Math.abs(value) < EXPONENT_FROM && !negativeZero) {
            return node(new BigDecimal(Double.toString(value)).toBigInteger());
        }
        return JsonNodeFactory.instance.numberNode(value);
    }

    private static JsonNode node(BigInteger value) {
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        if (value.bitLength() < Integer.SIZE) {
            return nodes.numberNode(value.intValueExact());
        }
        return value.bitLength() < Long.SIZE
                ? nodes.numberNode(value.longValueExact())
                : nodes.numberNode(value);
    }

    private static boolean fits(BigInteger value) {
        return value.compareTo(MIN) >= 0 && value.compareTo(MAX) <= 0;
    }

    private static @Nullable BigInteger integer(String text) {
        if (!INTEGER.matcher(text).matches()) {
            return null;
        }
        boolean signed = text.charAt(0) == '-' || text.charAt(0) == '+';
        String digits = signed ? text.substring(1) : text;
        int radix = 10;
        if (digits.length() > 1 && digits.charAt(0) == '0') {
            switch (digits.charAt(1)) {
                case 'x', 'X' -> radix = 16;
                case 'b', 'B' -> radix = 2;
                case 'o', 'O' -> radix = 8;
                default -> {
                    // "089" is no octal number; it is read as a float and so means 89.
                    if (digits.indexOf('8') >= 0 || digits.indexOf('9') >= 0) {
                        return null;
                    }
                    radix = 8;
                }
            }
            digits = digits.substring(radix == 8 && Character.isDigit(digits.charAt(1)) ? 1 : 2);
        }
        BigInteger value = new BigInteger(digits, radix);
        return text.charAt(0) == '-' ? value.negate() : value;
    }
}
