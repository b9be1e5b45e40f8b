package dev.millrace.expressions.gjson;

import java.util.ArrayList;
import java.util.List;

/** The children of an array or object, as slices of its text. */
final class JsonElements {

    private JsonElements() {}

    /**
     * A child; the key of an array's child is empty, that of an object's child stands with its
     * quotes.
     */
    record Child(String key, String raw) {}

    static List<Child> of(String container) {
        int at = JsonSlice.skipSpace(container, 0);
        if (at >= container.length()) {
            return List.of();
        }
        boolean object = container.charAt(at) == '{';
        List<Child> children = new ArrayList<>();
        at = next(container, at + 1);
        while (at < container.length()
                && container.charAt(at) != '}'
                && container.charAt(at) != ']') {
            String key = "";
            if (object) {
                int keyEnd = JsonSlice.valueEnd(container, at);
                key = container.substring(at, keyEnd);
                at = next(container, keyEnd);
            }
            int end = JsonSlice.valueEnd(container, at);
            if (end == at) {
                // Not JSON: nothing that could be stepped over.
                return children;
            }
            children.add(new Child(key, container.substring(at, end)));
            at = next(container, end);
        }
        return children;
    }

    /** Values of a text that holds one after the other, as JSON lines do. */
    static List<String> lines(String json) {
        List<String> values = new ArrayList<>();
        int at = JsonSlice.skipSpace(json, 0);
        while (at < json.length()) {
            int end = JsonSlice.valueEnd(json, at);
            if (end == at) {
                return values;
            }
            values.add(json.substring(at, end));
            at = JsonSlice.skipSpace(json, end);
        }
        return values;
    }

    static int next(String json, int from) {
        int at = from;
        while (at < json.length()
                && (json.charAt(at) <= ' ' || json.charAt(at) == ',' || json.charAt(at) == ':')) {
            at++;
        }
        return at;
    }
}
