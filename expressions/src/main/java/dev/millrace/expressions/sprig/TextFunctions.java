package dev.millrace.expressions.sprig;

import dev.millrace.expressions.expr.value.GoList;
import dev.millrace.expressions.expr.value.GoMap;
import dev.millrace.expressions.expr.value.GoPrint;
import dev.millrace.expressions.expr.value.GoText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Cutting, joining and dressing text. */
final class TextFunctions {

    private TextFunctions() {}

    static void addTo(Map<String, SprigFunction> table) {
        table.put("trim", a -> GoText.trimSpace(a.text(0)));
        table.put("trimAll", a -> GoText.trim(a.text(1), a.text(0)));
        table.put("trimall", a -> GoText.trim(a.text(1), a.text(0)));
        table.put(
                "trimSuffix",
                a -> {
                    String suffix = a.text(0);
                    String text = a.text(1);
                    return text.endsWith(suffix)
                            ? text.substring(0, text.length() - suffix.length())
                            : text;
                });
        table.put(
                "trimPrefix",
                a -> {
                    String prefix = a.text(0);
                    return a.text(1).startsWith(prefix)
                            ? a.text(1).substring(prefix.length())
                            : a.text(1);
                });
        table.put("repeat", a -> GoText.repeat(a.text(1), Math.max(0, a.integer(0))));
        table.put("substr", a -> substring(a.integer(0), a.integer(1), a.text(2)));
        table.put("trunc", a -> truncate(a.integer(0), a.text(1)));
        table.put(
                "abbrev",
                a -> a.integer(0) < 4 ? a.text(1) : abbreviate(a.text(1), 0, a.integer(0)));
        table.put("abbrevboth", a -> abbreviateBoth(a.integer(0), a.integer(1), a.text(2)));
        table.put(
                "nospace",
                a ->
                        a.text(0)
                                .codePoints()
                                .filter(c -> !GoText.isSpace(c))
                                .collect(
                                        StringBuilder::new,
                                        StringBuilder::appendCodePoint,
                                        StringBuilder::append)
                                .toString());
        table.put("contains", a -> a.text(1).contains(a.text(0)));
        table.put("hasPrefix", a -> a.text(1).startsWith(a.text(0)));
        table.put("hasSuffix", a -> a.text(1).endsWith(a.text(0)));
        table.put("quote", a -> shownWith(a, text -> GoPrint.quote(text)));
        table.put("squote", a -> shownWith(a, text -> "'" + text + "'"));
        table.put("cat", a -> shownWith(a, text -> text));
        table.put("indent", a -> indent(a.integer(0), a.text(1)));
        table.put("nindent", a -> "\n" + indent(a.integer(0), a.text(1)));
        table.put("replace", a -> GoText.replace(a.text(2), a.text(0), a.text(1), -1));
        table.put("plural", a -> a.integer(2) == 1 ? a.text(0) : a.text(1));
        table.put("toString", a -> Arguments.shown(a.get(0)));
        table.put("toStrings", a -> GoList.ofStrings(Arguments.texts(a.get(0))));
        table.put("join", a -> GoText.join(Arguments.texts(a.get(1)), a.text(0)));
        table.put(
                "sortAlpha",
                a -> GoList.ofStrings(Arguments.texts(a.get(0)).stream().sorted().toList()));
        table.put(
                "splitList", a -> GoList.ofStrings(GoText.split(a.text(1), a.text(0), -1, false)));
        table.put("split", a -> numbered(GoText.split(a.text(1), a.text(0), -1, false)));
        table.put("splitn", a -> numbered(GoText.split(a.text(2), a.text(0), a.integer(1), false)));
        table.put("wrap", a -> wrap(a.text(1), a.integer(0), "\n", false));
        table.put("wrapWith", a -> wrap(a.text(2), a.integer(0), a.text(1), true));
        table.put("hello", a -> "Hello!");
    }

    private static String shownWith(Arguments a, UnaryOperator<String> dress) {
        List<String> parts = new ArrayList<>();
        for (Object value : a.values()) {
            if (value != null) {
                parts.add(dress.apply(Arguments.shown(value)));
            }
        }
        return GoText.join(parts, " ");
    }

    private static String substring(int start, int end, String text) {
        int length = GoText.length(text);
        if (start < 0) {
            return GoText.slice(text, 0, Math.clamp(end, 0, length));
        }
        int from = Math.min(start, length);
        return GoText.slice(text, from, end < 0 || end > length ? length : Math.max(from, end));
    }

    private static String truncate(int count, String text) {
        int length = GoText.length(text);
        if (count < 0 && length + count > 0) {
            return GoText.slice(text, length + count, length);
        }
        return count >= 0 && length > count ? GoText.slice(text, 0, count) : text;
    }

    /** Cuts to the width, an ellipsis at the end and, for an offset, at the start too. */
    private static String abbreviate(String text, int offset, int width) {
        int length = text.length();
        if (length <= width) {
            return text;
        }
        int start = Math.min(offset, length);
        if (length - start < width - 3) {
            start = length - (width - 3);
        }
        if (start <= 4) {
            return text.substring(0, width - 3) + "...";
        }
        if (start + width - 3 < length) {
            return "..." + abbreviate(text.substring(start), 0, width - 3);
        }
        return "..." + text.substring(length - (width - 3));
    }

    private static String abbreviateBoth(int left, int right, String text) {
        return right < 4 || (left > 0 && right < 7) ? text : abbreviate(text, left, right);
    }

    private static String indent(int spaces, String text) {
        String pad = GoText.repeat(" ", spaces);
        return pad + GoText.replace(text, "\n", "\n" + pad, -1);
    }

    private static GoMap numbered(List<String> parts) {
        Map<@Nullable Object, @Nullable Object> map = new LinkedHashMap<>();
        for (int i = 0; i < parts.size(); i++) {
            map.put("_" + i, parts.get(i));
        }
        return GoMap.ofStrings(map);
    }

    /**
     * Breaks at spaces so that lines have at most that many characters, if their words let them.
     */
    private static String wrap(String text, int width, String newline, boolean breakWords) {
        int wide = Math.max(1, width);
        StringBuilder out = new StringBuilder();
        int at = 0;
        while (text.length() - at > wide) {
            if (text.charAt(at) == ' ') {
                at++;
                continue;
            }
            int space = text.lastIndexOf(' ', at + wide);
            if (space >= at) {
                out.append(text, at, space).append(newline);
                at = space + 1;
            } else if (breakWords) {
                out.append(text, at, at + wide).append(newline);
                at += wide;
            } else {
                int next = text.indexOf(' ', at + wide);
                if (next < 0) {
                    break;
                }
                out.append(text, at, next).append(newline);
                at = next + 1;
            }
        }
        return out.append(text, at, text.length()).toString();
    }
}
