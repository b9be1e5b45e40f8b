package dev.millrace.expressions.expr;

import dev.millrace.expressions.expr.Builtins.Signature;
import dev.millrace.expressions.expr.value.GoBase64;
import dev.millrace.expressions.expr.value.GoJsonWriter;
import dev.millrace.expressions.expr.value.GoList;
import dev.millrace.expressions.expr.value.GoOperators;
import dev.millrace.expressions.expr.value.GoPanic;
import dev.millrace.expressions.expr.value.GoPrint;
import dev.millrace.expressions.expr.value.GoText;
import dev.millrace.expressions.expr.value.GoType;
import dev.millrace.expressions.gojson.GoJson;
import dev.millrace.expressions.gojson.GoJsonException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Built-in functions over text, and between values and text. */
final class TextBuiltins {

    private TextBuiltins() {}

    static void addTo(Map<String, Signature> table) {
        table.put(
                "string",
                new Signature("x", 1, 1, StaticType.STRING, a -> GoPrint.print(a.get(0))));
        table.put("trim", new Signature("ss", 1, 2, StaticType.STRING, TextBuiltins::trim));
        table.put(
                "trimPrefix",
                new Signature(
                        "ss",
                        1,
                        2,
                        StaticType.STRING,
                        a -> {
                            String prefix = a.size() > 1 ? text(a, 1) : " ";
                            return text(a, 0).startsWith(prefix)
                                    ? text(a, 0).substring(prefix.length())
                                    : text(a, 0);
                        }));
        table.put(
                "trimSuffix",
                new Signature(
                        "ss",
                        1,
                        2,
                        StaticType.STRING,
                        a -> {
                            String suffix = a.size() > 1 ? text(a, 1) : " ";
                            String text = text(a, 0);
                            return text.endsWith(suffix)
                                    ? text.substring(0, text.length() - suffix.length())
                                    : text;
                        }));
        table.put(
                "upper",
                new Signature("s", 1, 1, StaticType.STRING, a -> GoText.upper(text(a, 0))));
        table.put(
                "lower",
                new Signature("s", 1, 1, StaticType.STRING, a -> GoText.lower(text(a, 0))));
        table.put(
                "split",
                new Signature(
                        "ssi",
                        2,
                        3,
                        StaticType.STRINGS,
                        a ->
                                GoList.ofStrings(
                                        GoText.split(
                                                text(a, 0),
                                                text(a, 1),
                                                a.size() > 2 ? count(a, 2) : -1,
                                                false))));
        table.put(
                "splitAfter",
                new Signature(
                        "ssi",
                        2,
                        3,
                        StaticType.STRINGS,
                        a ->
                                GoList.ofStrings(
                                        GoText.split(
                                                text(a, 0),
                                                text(a, 1),
                                                a.size() > 2 ? count(a, 2) : -1,
                                                true))));
        table.put(
                "replace",
                new Signature(
                        "sssi",
                        3,
                        4,
                        StaticType.STRING,
                        a ->
                                GoText.replace(
                                        text(a, 0),
                                        text(a, 1),
                                        text(a, 2),
                                        a.size() > 3 ? count(a, 3) : -1)));
        table.put(
                "repeat",
                new Signature(
                        "si",
                        2,
                        2,
                        StaticType.STRING,
                        a -> {
                            int times = count(a, 1);
                            if (times < 0) {
                                throw new GoPanic(
                                        "invalid argument for repeat (expected positive integer, got "
                                                + times
                                                + ")");
                            }
                            if (times > Frame.MEMORY_BUDGET) {
                                throw new GoPanic("memory budget exceeded");
                            }
                            return GoText.repeat(text(a, 0), times);
                        }));
        table.put("join", new Signature("ls", 1, 2, StaticType.STRING, TextBuiltins::join));
        table.put(
                "indexOf",
                new Signature(
                        "ss",
                        2,
                        2,
                        StaticType.INTEGER,
                        a -> GoText.byteIndex(text(a, 0), text(a, 0).indexOf(text(a, 1)))));
        table.put(
                "lastIndexOf",
                new Signature(
                        "ss",
                        2,
                        2,
                        StaticType.INTEGER,
                        a -> GoText.byteIndex(text(a, 0), text(a, 0).lastIndexOf(text(a, 1)))));
        table.put(
                "hasPrefix",
                new Signature("ss", 2, 2, StaticType.BOOL, a -> text(a, 0).startsWith(text(a, 1))));
        table.put(
                "hasSuffix",
                new Signature("ss", 2, 2, StaticType.BOOL, a -> text(a, 0).endsWith(text(a, 1))));
        table.put(
                "toJSON",
                new Signature(
                        "x",
                        1,
                        1,
                        StaticType.STRING,
                        a -> GoJsonWriter.write(a.get(0), "  ", true)));
        table.put(
                "fromJSON",
                new Signature("s", 1, 1, StaticType.UNKNOWN, a -> fromJson(text(a, 0))));
        table.put(
                "toBase64",
                new Signature("s", 1, 1, StaticType.STRING, a -> GoBase64.encode(text(a, 0))));
        table.put(
                "fromBase64",
                new Signature("s", 1, 1, StaticType.STRING, a -> GoBase64.decode(text(a, 0))));
    }

    static @Nullable Object fromJson(String text) {
        try {
            return GoJson.decode(text);
        } catch (GoJsonException e) {
            throw new GoPanic(String.valueOf(e.getMessage()));
        }
    }

    private static String trim(List<? extends @Nullable Object> a) {
        return a.size() > 1 ? GoText.trim(text(a, 0), text(a, 1)) : GoText.trimSpace(text(a, 0));
    }

    private static String join(List<? extends @Nullable Object> a) {
        if (!(a.get(0) instanceof List<?> list)) {
            throw new GoPanic("invalid argument for join (type " + GoType.name(a.get(0)) + ")");
        }
        String glue = a.size() > 1 ? text(a, 1) : "";
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < list.size(); i++) {
            out.append(i == 0 ? "" : glue).append(text(list, i));
            if (out.length() > GoOperators.MAX_TEXT) {
                throw new GoPanic("memory budget exceeded");
            }
        }
        return out.toString();
    }

    /** The argument, which must be a string. */
    static String text(List<? extends @Nullable Object> arguments, int index) {
        Object value = arguments.get(index);
        if (value instanceof String text) {
            return text;
        }
        throw new GoPanic(
                "interface conversion: interface {} is "
                        + (value == null ? "nil" : GoType.name(value))
                        + ", not string");
    }

    /** The argument, which must be a number, as an int. */
    static int count(List<? extends @Nullable Object> arguments, int index) {
        Object value = arguments.get(index);
        if (value == null || !GoType.isNumber(value)) {
            throw new GoPanic("invalid operation: int(" + GoType.name(value) + ")");
        }
        long number = GoType.toLong(value);
        return (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, number));
    }
}
