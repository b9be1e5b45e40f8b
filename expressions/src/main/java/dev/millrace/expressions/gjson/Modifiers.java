package dev.millrace.expressions.gjson;

import dev.millrace.expressions.gojson.GoJson;
import dev.millrace.expressions.gojson.GoJsonException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Parts of a path that make new JSON: <code>@name</code>, <code>@name:argument</code>, and literals
 * <code>!json</code>.
 */
final class Modifiers {

    private static final Set<String> NAMES =
            Set.of(
                    "this", "reverse", "keys", "values", "ugly", "valid", "flatten", "join",
                    "tostr", "fromstr", "group");

    private Modifiers() {}

    /** What a modifier made, and the path after it. */
    record Applied(String json, String rest) {}

    /** Whether a path that starts with {@code @} starts with a modifier. */
    static boolean isKnown(String path) {
        return NAMES.contains(path.substring(1, nameEnd(path)));
    }

    private static int nameEnd(String path) {
        int at = 1;
        while (at < path.length() && ".|:".indexOf(path.charAt(at)) < 0) {
            at++;
        }
        return at;
    }

    /** Null if the path starts with neither a modifier nor a literal. */
    static @Nullable Applied apply(String json, String path) {
        if (path.startsWith("!")) {
            return literal(path);
        }
        int end = nameEnd(path);
        String name = path.substring(1, end);
        if (!NAMES.contains(name)) {
            return null;
        }
        String argument = "";
        if (end < path.length() && path.charAt(end) == ':') {
            int start = end + 1;
            end = argumentEnd(path, start);
            argument = path.substring(start, end);
        }
        return new Applied(run(name, JsonSlice.first(json), argument), path.substring(end));
    }

    private static int argumentEnd(String path, int start) {
        boolean json = start < path.length() && "{[\"(".indexOf(path.charAt(start)) >= 0;
        if (json) {
            return JsonSlice.valueEnd(path, start);
        }
        int bar = path.indexOf('|', start);
        return bar < 0 ? path.length() : bar;
    }

    private static @Nullable Applied literal(String path) {
        int end = argumentEnd(path, 1);
        String json = path.substring(1, end);
        return GoJson.isValid(json) ? new Applied(json, path.substring(end)) : null;
    }

    private static String run(String name, String json, String argument) {
        return switch (name) {
            case "this" -> json;
            case "reverse" -> reverse(json);
            case "keys" -> pieces(json, true);
            case "values" -> pieces(json, false);
            case "ugly" -> validOr(json, "");
            case "valid" -> GoJson.isValid(json) ? json : "";
            case "flatten" -> flatten(json, GjsonPath.get(argument, "deep").bool());
            case "join" -> join(json, GjsonPath.get(argument, "preserve").bool());
            case "tostr" -> GoJson.quote(json);
            case "fromstr" -> GoJson.isValid(json) ? GjsonResult.of(json).text() : "";
            case "group" -> group(json);
            default -> throw new IllegalArgumentException("no modifier " + name);
        };
    }

    private static String validOr(String json, String otherwise) {
        try {
            return GoJson.compact(json);
        } catch (GoJsonException e) {
            return otherwise;
        }
    }

    private static boolean isArray(String json) {
        return json.startsWith("[");
    }

    private static boolean isObject(String json) {
        return json.startsWith("{");
    }

    private static String reverse(String json) {
        if (!isArray(json) && !isObject(json)) {
            return json;
        }
        List<String> parts = new ArrayList<>();
        for (JsonElements.Child child : JsonElements.of(json)) {
            parts.add(isArray(json) ? child.raw() : child.key() + ":" + child.raw());
        }
        Collections.reverse(parts);
        String joined = String.join(",", parts);
        return isArray(json) ? "[" + joined + "]" : "{" + joined + "}";
    }

    private static String pieces(String json, boolean keys) {
        if (json.isEmpty()) {
            return "[]";
        }
        if (!isObject(json)) {
            // An array's elements have no keys; a scalar counts as an array of one.
            return isArray(json) && !keys ? json : "[" + (keys ? nulls(json) : json) + "]";
        }
        List<String> parts = new ArrayList<>();
        for (JsonElements.Child child : JsonElements.of(json)) {
            parts.add(keys ? child.key() : child.raw());
        }
        return "[" + String.join(",", parts) + "]";
    }

    private static String nulls(String json) {
        int count = isArray(json) ? JsonElements.of(json).size() : 1;
        return String.join(",", Collections.nCopies(count, "null"));
    }

    private static String flatten(String json, boolean deep) {
        if (!isArray(json)) {
            return json;
        }
        List<String> parts = new ArrayList<>();
        for (JsonElements.Child child : JsonElements.of(json)) {
            if (isArray(child.raw())) {
                String inner = deep ? flatten(child.raw(), true) : child.raw();
                JsonElements.of(inner).forEach(grandchild -> parts.add(grandchild.raw()));
            } else {
                parts.add(child.raw());
            }
        }
        return "[" + String.join(",", parts) + "]";
    }

    private static String join(String json, boolean preserve) {
        if (!isArray(json)) {
            return json;
        }
        List<String> members = new ArrayList<>();
        Map<String, String> merged = new LinkedHashMap<>();
        for (JsonElements.Child element : JsonElements.of(json)) {
            if (isObject(element.raw())) {
                for (JsonElements.Child member : JsonElements.of(element.raw())) {
                    members.add(member.key() + ":" + member.raw());
                    merged.put(member.key(), member.raw());
                }
            }
        }
        if (!preserve) {
            members.clear();
            merged.forEach((key, raw) -> members.add(key + ":" + raw));
        }
        return "{" + String.join(",", members) + "}";
    }

    /** Of an object of arrays an array of objects. */
    private static String group(String json) {
        if (!isObject(json)) {
            return "";
        }
        List<List<String>> rows = new ArrayList<>();
        for (JsonElements.Child column : JsonElements.of(json)) {
            List<JsonElements.Child> cells =
                    isArray(column.raw()) ? JsonElements.of(column.raw()) : List.of();
            for (int i = 0; i < cells.size(); i++) {
                if (i == rows.size()) {
                    rows.add(new ArrayList<>());
                }
                rows.get(i).add(column.key() + ":" + cells.get(i).raw());
            }
        }
        List<String> objects = rows.stream().map(row -> "{" + String.join(",", row) + "}").toList();
        return "[" + String.join(",", objects) + "]";
    }
}
