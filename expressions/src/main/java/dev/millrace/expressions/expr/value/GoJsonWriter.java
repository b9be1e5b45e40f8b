package dev.millrace.expressions.expr.value;

import dev.millrace.expressions.gojson.GoJson;
import dev.millrace.expressions.gojson.GoTime;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * JSON text as Go's {@code encoding/json} writes it: sorted keys, its own forms of floats and
 * escapes.
 */
public final class GoJsonWriter {

    private static final int MAX_DEPTH = 1000;

    private final StringBuilder out = new StringBuilder();
    private final @Nullable String indent;
    private final boolean escapeHtml;

    private GoJsonWriter(@Nullable String indent, boolean escapeHtml) {
        this.indent = indent;
        this.escapeHtml = escapeHtml;
    }

    /**
     * {@code json.Marshal}. @throws GoPanic for what has no JSON form, an infinite number for
     * instance
     */
    public static String write(@Nullable Object value) {
        return write(value, null, true);
    }

    /**
     * @param indent the text for one level of indentation; null writes all in one line
     * @param escapeHtml whether {@code < > &} are written as escapes, as Go does by default
     */
    public static String write(
            @Nullable Object value, @Nullable String indent, boolean escapeHtml) {
        GoJsonWriter writer = new GoJsonWriter(indent, escapeHtml);
        writer.value(value, 0);
        return writer.out.toString();
    }

    private void value(@Nullable Object value, int depth) {
        if (depth > MAX_DEPTH) {
            throw new GoPanic("json: unsupported value: nested too deeply");
        }
        GoText.checkLength(out);
        switch (value) {
            case null -> out.append("null");
            case String s -> string(s);
            case Boolean b -> out.append(b);
            case Long l -> out.append(l);
            case Integer i -> out.append(i);
            case GoInteger i ->
                    out.append(i.isUnsigned() ? Long.toUnsignedString(i.value()) : "" + i.value());
            case Double d -> out.append(number(d));
            case List<?> list -> list(list, depth);
            case Map<?, ?> map -> map(map, depth);
            case ZonedDateTime t -> string(GoTime.rfc3339Nano(t));
            case Duration d -> out.append(d.toNanos());
            case GoObject o -> string(o.toString());
            default -> throw new GoPanic("json: unsupported type: " + GoType.name(value));
        }
    }

    private static String number(double value) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            throw new GoPanic("json: unsupported value: " + GoPrint.shortest(value));
        }
        return GoJson.number(value);
    }

    private void list(List<?> list, int depth) {
        if (list instanceof GoList typed && typed.isNil()) {
            out.append("null");
            return;
        }
        out.append('[');
        for (int i = 0; i < list.size(); i++) {
            if (i > 0) {
                out.append(',');
            }
            newLine(depth + 1);
            value(list.get(i), depth + 1);
        }
        if (!list.isEmpty()) {
            newLine(depth);
        }
        out.append(']');
    }

    private void map(Map<?, ?> map, int depth) {
        if (map instanceof GoMap typed && !typed.hasStringKeys()) {
            throw new GoPanic("json: unsupported type: " + typed.type());
        }
        List<String> keys = new ArrayList<>(map.size());
        for (Object key : map.keySet()) {
            keys.add(String.valueOf(key));
        }
        keys.sort(null);
        out.append('{');
        for (int i = 0; i < keys.size(); i++) {
            if (i > 0) {
                out.append(',');
            }
            newLine(depth + 1);
            string(keys.get(i));
            out.append(indent == null ? ":" : ": ");
            value(map.get(keys.get(i)), depth + 1);
        }
        if (!keys.isEmpty()) {
            newLine(depth);
        }
        out.append('}');
    }

    private void newLine(int depth) {
        if (indent != null) {
            out.append('\n').append(indent.repeat(depth));
        }
    }

    private void string(String text) {
        out.append(escapeHtml ? GoJson.quote(text) : '"' + GoJson.escape(text) + '"');
    }
}
