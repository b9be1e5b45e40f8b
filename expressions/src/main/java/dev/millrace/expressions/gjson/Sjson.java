package dev.millrace.expressions.gjson;

import dev.millrace.expressions.gojson.GoJson;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes values into JSON text by path; everything else in the text stays as it is. Missing objects
 * and arrays are made (a number makes an array, unless written <code>:1</code>), <code>-1</code>
 * appends, and a path with <code># * ? | @</code> replaces what it finds and makes nothing.
 */
public final class Sjson {

    /**
     * An index beyond an array's end is filled up with nulls; this bounds what one small path can
     * make.
     */
    private static final int MAX_INDEX = 1_000_000;

    private Sjson() {}

    /**
     * Writes a string.
     *
     * @param json may be empty: then the document is made
     * @return the new text; the same if a path that makes nothing finds nothing
     * @throws SjsonException if the path is empty, or names a member of an array
     */
    public static String set(String json, String path, String value) {
        return setRaw(json, path, quoted(value));
    }

    /**
     * Writes JSON, which is not validated.
     *
     * @throws SjsonException as {@link #set}
     */
    public static String setRaw(String json, String path, String raw) {
        if (path.isEmpty()) {
            throw new SjsonException("path cannot be empty");
        }
        if (path.length() > GjsonPath.MAX_PATH) {
            throw new SjsonException(
                    "path has " + path.length() + " characters, at most " + GjsonPath.MAX_PATH);
        }
        List<Part> parts = parts(path);
        return parts == null ? replaceFound(json, path, raw) : write(json, parts, raw);
    }

    /**
     * Printable ASCII without quote and backslash is written as it is; all else is escaped as Go
     * does, HTML signs included.
     */
    private static String quoted(String value) {
        boolean plain = value.chars().allMatch(c -> c >= ' ' && c <= '~' && c != '"' && c != '\\');
        return plain ? '"' + value + '"' : GoJson.quote(value);
    }

    /**
     * A step of a path.
     *
     * @param name without escapes
     * @param path with escapes, for reading
     * @param index the number it is, or -1
     * @param append whether it is -1
     */
    private record Part(String name, String path, int index, boolean append) {
        boolean isNumber() {
            return index >= 0;
        }
    }

    /** Null if the path has signs that only reading knows. */
    private static @Nullable List<Part> parts(String path) {
        List<Part> parts = new ArrayList<>();
        int start = 0;
        StringBuilder name = new StringBuilder();
        for (int at = 0; at <= path.length(); at++) {
            char c = at < path.length() ? path.charAt(at) : '.';
            if (c == '.') {
                parts.add(part(name.toString(), path.substring(start, at)));
                name.setLength(0);
                start = at + 1;
            } else if ("|#@*?".indexOf(c) >= 0) {
                return null;
            } else if (c == '\\' && at + 1 < path.length()) {
                name.append(path.charAt(++at));
            } else {
                name.append(c);
            }
        }
        return parts;
    }

    private static Part part(String name, String path) {
        if (path.startsWith(":")) {
            return new Part(name.substring(1), path.substring(1), -1, false);
        }
        return new Part(name, path, index(name), name.equals("-1"));
    }

    private static int index(String name) {
        if (name.isEmpty() || !name.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return -1;
        }
        int index = name.length() > 9 ? Integer.MAX_VALUE : Integer.parseInt(name);
        if (index > MAX_INDEX) {
            throw new SjsonException("array index " + name + " is above " + MAX_INDEX);
        }
        return index;
    }

    private static String replaceFound(String json, String path, String raw) {
        Match match = PathSearch.get(json, path);
        if (match == null) {
            return json;
        }
        List<Match.Span> spans = new ArrayList<>(match.spans());
        if (match.index() != Match.NOWHERE) {
            spans.add(new Match.Span(match.index(), match.raw().length()));
        }
        // From the back, so that the places before stay right.
        spans.sort(Comparator.comparingInt(Match.Span::start).reversed());
        StringBuilder text = new StringBuilder(json);
        for (Match.Span span : spans) {
            text.replace(span.start(), span.start() + span.length(), raw);
        }
        return text.toString();
    }

    private static String write(String json, List<Part> parts, String raw) {
        Part part = parts.getFirst();
        Match there = PathSearch.get(json, part.path());
        if (there != null && there.index() != Match.NOWHERE) {
            String inner =
                    parts.size() > 1
                            ? write(there.raw(), parts.subList(1, parts.size()), raw)
                            : raw;
            return json.substring(0, there.index())
                    + inner
                    + json.substring(there.index() + there.raw().length());
        }
        String first = JsonSlice.first(json);
        boolean array = first.startsWith("[");
        if (first.startsWith("{") || array) {
            return array ? intoArray(first, parts, raw) : insert(first, '}', member(parts, raw));
        }
        // Nothing there, or a scalar, which gives way.
        return part.isNumber()
                ? "[" + "null,".repeat(part.index()) + element(parts, raw) + "]"
                : "{" + member(parts, raw) + "}";
    }

    private static String intoArray(String array, List<Part> parts, String raw) {
        Part part = parts.getFirst();
        if (part.append()) {
            return insert(array, ']', element(parts, raw));
        }
        if (!part.isNumber()) {
            throw new SjsonException(
                    "cannot set array element for non-numeric key '" + part.name() + "'");
        }
        List<String> elements = new ArrayList<>();
        JsonElements.of(array).forEach(child -> elements.add(child.raw()));
        while (elements.size() < part.index()) {
            elements.add("null");
        }
        elements.add(element(parts, raw));
        return "[" + String.join(",", elements) + "]";
    }

    /** Puts a text before the closing bracket. */
    private static String insert(String container, char close, String addition) {
        int end = container.lastIndexOf(close);
        String before = container.substring(0, end < 0 ? container.length() : end);
        boolean empty = JsonSlice.skipSpace(before, 1) >= before.length();
        return before + (empty ? "" : ",") + addition + close;
    }

    private static String member(List<Part> parts, String raw) {
        return quoted(parts.getFirst().name()) + ":" + element(parts, raw);
    }

    /** The value below the first part, with all that has to be made on the way. */
    private static String element(List<Part> parts, String raw) {
        StringBuilder before = new StringBuilder();
        StringBuilder after = new StringBuilder();
        for (Part part : parts.subList(1, parts.size())) {
            if (part.isNumber() || part.append()) {
                before.append('[').append("null,".repeat(Math.max(part.index(), 0)));
                after.append(']');
            } else {
                before.append('{').append(quoted(part.name())).append(':');
                after.append('}');
            }
        }
        return before + raw + after.reverse();
    }
}
