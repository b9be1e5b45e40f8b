package dev.millrace.expressions.gjson;

import dev.millrace.expressions.gojson.GoJson;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Several paths at once: <code>{name:path,path}</code> makes an object, <code>[path,path]</code> an
 * array.
 */
final class MultiPath {

    private static final Pattern SIMPLE_NAME = Pattern.compile("[A-Za-z0-9_ .-]+");

    private MultiPath() {}

    private record Selector(String name, String path) {}

    /** Null if the text is no such path. */
    static Modifiers.@Nullable Applied apply(String json, String text) {
        int end = JsonSlice.valueEnd(text, 0);
        boolean object = text.charAt(0) == '{';
        String rest = text.substring(end);
        boolean closed = text.charAt(end - 1) == (object ? '}' : ']');
        if (!closed || !(rest.isEmpty() || rest.startsWith("|") || rest.startsWith("."))) {
            return null;
        }
        List<String> parts = new ArrayList<>();
        for (Selector selector : selectors(text.substring(1, end - 1))) {
            Match match = PathSearch.get(json, selector.path());
            if (match != null) {
                parts.add(object ? key(selector) + ":" + match.raw() : match.raw());
            }
        }
        String made = String.join(",", parts);
        return new Modifiers.Applied(object ? "{" + made + "}" : "[" + made + "]", rest);
    }

    private static String key(Selector selector) {
        String name = selector.name();
        if (!name.isEmpty()) {
            return name.startsWith("\"") && GoJson.isValid(name) ? name : GoJson.quote(name);
        }
        String path = selector.path();
        int cut = Math.max(path.lastIndexOf('.'), path.lastIndexOf('|'));
        String last = path.substring(cut + 1);
        return GoJson.quote(SIMPLE_NAME.matcher(last).matches() ? last : "_");
    }

    private static List<Selector> selectors(String inside) {
        List<Selector> selectors = new ArrayList<>();
        int start = 0;
        int colon = -1;
        boolean modifier = false;
        int at = 0;
        while (at <= inside.length()) {
            char c = at < inside.length() ? inside.charAt(at) : ',';
            switch (c) {
                case '\\' -> at += 2;
                case '"', '(', '[', '{' -> at = JsonSlice.valueEnd(inside, at);
                case ',' -> {
                    selectors.add(
                            colon < 0
                                    ? new Selector("", inside.substring(start, at))
                                    : new Selector(
                                            inside.substring(start, colon),
                                            inside.substring(colon + 1, at)));
                    at++;
                    start = at;
                    colon = -1;
                    modifier = false;
                }
                default -> {
                    if (c == '@') {
                        // The colon of a modifier's argument is no name.
                        modifier |=
                                at > start
                                        && (inside.charAt(at - 1) == '.'
                                                || inside.charAt(at - 1) == '|');
                    } else if (c == ':' && !modifier && colon < 0) {
                        colon = at;
                    }
                    at++;
                }
            }
        }
        return selectors;
    }
}
