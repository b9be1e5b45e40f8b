package dev.millrace.eventsources.webhook;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.millrace.eventsources.EntryConfigurationException;
import dev.millrace.expressions.regex.GoRegex;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * An endpoint: a path, in which {@code {name}} stands for one segment and {@code {name:regex}} for
 * what the expression matches.
 */
final class EndpointPattern {

    private final String text;
    private final @Nullable Pattern pattern;

    private EndpointPattern(String text, @Nullable Pattern pattern) {
        this.text = text;
        this.pattern = pattern;
    }

    /**
     * @throws EntryConfigurationException if it cannot be an endpoint
     */
    static EndpointPattern parse(@Nullable String endpoint) {
        if (endpoint == null || endpoint.isEmpty()) {
            throw new EntryConfigurationException(
                    "endpoint is missing; write a path such as /push");
        }
        // Argo Events puts the slash before an endpoint that has none.
        String path = endpoint.startsWith("/") ? endpoint : "/" + endpoint;
        if (path.indexOf('{') < 0 && path.indexOf('}') < 0) {
            return new EndpointPattern(path, null);
        }
        return new EndpointPattern(path, compile(path));
    }

    boolean isExact() {
        return pattern == null;
    }

    /**
     * @param path decoded
     */
    boolean matches(String path) {
        return pattern == null ? text.equals(path) : pattern.matcher(path).matches();
    }

    /** The same for patterns that match the same paths under other names of variables. */
    String identity() {
        return pattern == null ? text : "regex " + pattern.pattern();
    }

    @Override
    public String toString() {
        return text;
    }

    private static Pattern compile(String path) {
        StringBuilder regex = new StringBuilder();
        int at = 0;
        while (at < path.length()) {
            int open = path.indexOf('{', at);
            int stray = path.indexOf('}', at);
            if (stray >= 0 && (open < 0 || stray < open)) {
                throw new EntryConfigurationException(
                        "endpoint " + path + " closes a brace that it does not open");
            }
            regex.append(Pattern.quote(path.substring(at, open < 0 ? path.length() : open)));
            if (open < 0) {
                break;
            }
            int close = closing(path, open);
            String variable = path.substring(open + 1, close);
            int colon = variable.indexOf(':');
            regex.append("(?:")
                    .append(colon < 0 ? "[^/]+" : variable.substring(colon + 1))
                    .append(')');
            at = close + 1;
        }
        try {
            return GoRegex.compile(regex.toString());
        } catch (PatternSyntaxException e) {
            throw new EntryConfigurationException(
                    "endpoint " + path + " holds no valid expression: " + e.getDescription());
        }
    }

    private static int closing(String path, int open) {
        Deque<Integer> opened = new ArrayDeque<>();
        for (int i = open; i < path.length(); i++) {
            if (path.charAt(i) == '{') {
                opened.push(i);
            } else if (path.charAt(i) == '}') {
                opened.pop();
                if (opened.isEmpty()) {
                    return i;
                }
            }
        }
        throw new EntryConfigurationException(
                "endpoint " + path + " opens a brace that it does not close");
    }
}
