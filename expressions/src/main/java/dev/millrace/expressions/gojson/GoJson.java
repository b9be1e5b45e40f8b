package dev.millrace.expressions.gojson;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.ZonedDateTime;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** JSON as Go's {@code encoding/json} reads and writes it. */
public final class GoJson {

    private GoJson() {}

    /**
     * Raw JSON as Go embeds it: without white space, {@code < > &} and line separators escaped;
     * number text, order and duplicates kept.
     *
     * @throws GoJsonException if the text is not one JSON value, with Go's message ({@code
     *     unexpected end of JSON input}, ...)
     */
    public static String compact(String raw) {
        StringBuilder out = new StringBuilder(raw.length());
        JsonScanner.scan(raw, new Compactor(out));
        return out.toString();
    }

    /**
     * Reads JSON into maps (in the order of the text, the last of duplicates wins), lists, strings,
     * doubles, booleans and null.
     *
     * @throws GoJsonException as {@link #compact}
     */
    public static @Nullable Object decode(String raw) {
        Decoder decoder = new Decoder();
        JsonScanner.scan(raw, decoder);
        return decoder.result();
    }

    /** Whether the text is one JSON value. */
    public static boolean isValid(String raw) {
        try {
            compact(raw);
            return true;
        } catch (GoJsonException e) {
            return false;
        }
    }

    /** A JSON string with its quotes, HTML-escaped. */
    public static String quote(String value) {
        StringBuilder out = new StringBuilder(value.length() + 2).append('"');
        JsonText.escape(value, true, out);
        return out.append('"').toString();
    }

    /**
     * The inside of a JSON string, without HTML escapes: for values that are put into JSON text.
     */
    public static String escape(String value) {
        StringBuilder out = new StringBuilder(value.length() + 8);
        JsonText.escape(value, false, out);
        return out.toString();
    }

    /**
     * The value of the inside of a JSON string.
     *
     * @throws GoJsonException if it cannot stand between quotes
     */
    public static String unescape(String inside) {
        if (inside.indexOf('\\') < 0 && inside.indexOf('"') < 0) {
            return inside;
        }
        return (String) java.util.Objects.requireNonNull(decode('"' + inside + '"'));
    }

    /**
     * Writes a value: maps with sorted keys, lists, strings HTML-escaped, whole numbers, doubles as
     * Go prints them, booleans, null, bytes as base64, {@link RawJson} compacted, times as RFC
     * 3339.
     *
     * @throws GoJsonException if a number is infinite or not a number, or raw JSON is invalid
     * @throws IllegalArgumentException for other types
     */
    public static String encode(@Nullable Object value) {
        StringBuilder out = new StringBuilder();
        write(value, out);
        return out.toString();
    }

    private static void write(@Nullable Object value, StringBuilder out) {
        switch (value) {
            case null -> out.append("null");
            case String s -> out.append(quote(s));
            case Boolean b -> out.append(b);
            case Double d -> out.append(number(d));
            case Float f -> out.append(number(f.doubleValue()));
            case Long n -> out.append(n);
            case Integer n -> out.append(n);
            case Short n -> out.append(n);
            case Byte n -> out.append(n);
            case BigInteger n -> out.append(n);
            case BigDecimal n -> out.append(n);
            case RawJson raw -> JsonScanner.scan(raw.text(), new Compactor(out));
            case byte[] bytes ->
                    out.append('"').append(Base64.getEncoder().encodeToString(bytes)).append('"');
            case ZonedDateTime time -> out.append('"').append(GoTime.rfc3339Nano(time)).append('"');
            case Map<?, ?> map -> object(map, out);
            case Iterable<?> list -> array(list, out);
            default ->
                    throw new IllegalArgumentException(
                            "json: unsupported type: " + value.getClass().getName());
        }
    }

    private static void object(Map<?, ?> map, StringBuilder out) {
        TreeMap<String, @Nullable Object> sorted = new TreeMap<>(Utf8Order.INSTANCE);
        map.forEach((key, value) -> sorted.put(String.valueOf(key), value));
        char separator = '{';
        for (Map.Entry<String, @Nullable Object> member : sorted.entrySet()) {
            out.append(separator).append(quote(member.getKey())).append(':');
            write(member.getValue(), out);
            separator = ',';
        }
        out.append(sorted.isEmpty() ? "{}" : "}");
    }

    private static void array(Iterable<?> list, StringBuilder out) {
        out.append('[');
        boolean first = true;
        for (Object element : list) {
            if (!first) {
                out.append(',');
            }
            first = false;
            write(element, out);
        }
        out.append(']');
    }

    /**
     * A double as {@code encoding/json} prints it: the shortest digits; with an exponent below 1e-6
     * and from 1e21 on.
     *
     * @throws GoJsonException if it is infinite or not a number
     */
    public static String number(double value) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            throw new GoJsonException(
                    "json: unsupported value: "
                            + (Double.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf"));
        }
        if (value == 0) {
            return 1 / value < 0 ? "-0" : "0";
        }
        double size = Math.abs(value);
        BigDecimal exact = new BigDecimal(Double.toString(value)).stripTrailingZeros();
        if (size >= 1e-6 && size < 1e21) {
            return exact.toPlainString();
        }
        String digits = exact.unscaledValue().abs().toString();
        int exponent = digits.length() - 1 - exact.scale();
        String fraction = digits.length() > 1 ? "." + digits.substring(1) : "";
        return (value < 0 ? "-" : "")
                + digits.charAt(0)
                + fraction
                + "e"
                + (exponent < 0 ? "-" : "+")
                + Math.abs(exponent);
    }
}
