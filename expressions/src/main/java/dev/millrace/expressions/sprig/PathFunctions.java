package dev.millrace.expressions.sprig;

import dev.millrace.expressions.expr.value.GoPanic;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Paths with slashes, and the parts of URLs. */
final class PathFunctions {

    private PathFunctions() {}

    static void addTo(Map<String, SprigFunction> table) {
        both(table, "base", "osBase", a -> base(a.text(0)));
        both(
                table,
                "dir",
                "osDir",
                a -> clean(a.text(0).substring(0, a.text(0).lastIndexOf('/') + 1)));
        both(table, "clean", "osClean", a -> clean(a.text(0)));
        both(
                table,
                "ext",
                "osExt",
                a -> {
                    String name = a.text(0).substring(a.text(0).lastIndexOf('/') + 1);
                    int dot = name.lastIndexOf('.');
                    return dot < 0 ? "" : name.substring(dot);
                });
        both(table, "isAbs", "osIsAbs", a -> a.text(0).startsWith("/"));
        table.put("urlParse", a -> parse(a.text(0)));
        table.put("urlJoin", a -> join(a.dict(0)));
    }

    private static void both(
            Map<String, SprigFunction> table, String name, String system, SprigFunction body) {
        table.put(name, body);
        table.put(system, body);
    }

    private static String base(String path) {
        if (path.isEmpty()) {
            return ".";
        }
        int end = path.length();
        while (end > 0 && path.charAt(end - 1) == '/') {
            end--;
        }
        return end == 0 ? "/" : path.substring(path.lastIndexOf('/', end - 1) + 1, end);
    }

    private static String clean(String path) {
        boolean rooted = path.startsWith("/");
        Deque<String> parts = new ArrayDeque<>();
        for (String part : path.split("/")) {
            if (part.isEmpty() || part.equals(".")) {
                continue;
            }
            if (!part.equals("..")) {
                parts.addLast(part);
            } else if (!parts.isEmpty() && !parts.getLast().equals("..")) {
                parts.removeLast();
            } else if (!rooted) {
                parts.addLast(part);
            }
        }
        String joined = String.join("/", parts);
        return rooted ? "/" + joined : joined.isEmpty() ? "." : joined;
    }

    private static Map<String, @Nullable Object> parse(String text) {
        URI uri;
        try {
            uri = new URI(text);
        } catch (URISyntaxException e) {
            throw new GoPanic("unable to parse url: \"" + text + "\": " + e.getReason());
        }
        String authority = Objects.requireNonNullElse(uri.getRawAuthority(), "");
        int at = authority.lastIndexOf('@');
        String host = authority.substring(at + 1);
        int colon = host.lastIndexOf(':');
        boolean port = colon > host.lastIndexOf(']');
        Map<String, @Nullable Object> parts = new LinkedHashMap<>();
        parts.put("scheme", Objects.requireNonNullElse(uri.getScheme(), ""));
        parts.put("host", host);
        parts.put("hostname", (port ? host.substring(0, colon) : host).replaceAll("[\\[\\]]", ""));
        parts.put("path", Objects.requireNonNullElse(uri.getPath(), ""));
        parts.put("query", Objects.requireNonNullElse(uri.getRawQuery(), ""));
        parts.put("opaque", uri.isOpaque() ? uri.getRawSchemeSpecificPart() : "");
        parts.put("fragment", Objects.requireNonNullElse(uri.getFragment(), ""));
        parts.put("userinfo", at < 0 ? "" : authority.substring(0, at));
        return parts;
    }

    private static String join(Map<?, ?> parts) {
        String scheme = part(parts, "scheme");
        String host = part(parts, "host");
        String user = part(parts, "userinfo");
        String path = part(parts, "path");
        String opaque = part(parts, "opaque");
        StringBuilder out = new StringBuilder(scheme.isEmpty() ? "" : scheme + ":");
        if (!opaque.isEmpty()) {
            out.append(opaque);
        } else {
            if (!host.isEmpty() || !user.isEmpty()) {
                out.append("//").append(user.isEmpty() ? "" : user + "@").append(host);
            }
            out.append(!path.isEmpty() && !path.startsWith("/") && !host.isEmpty() ? "/" : "")
                    .append(escaped(path));
        }
        String query = part(parts, "query");
        String fragment = part(parts, "fragment");
        return out.append(query.isEmpty() ? "" : "?" + query)
                .append(fragment.isEmpty() ? "" : "#" + escaped(fragment))
                .toString();
    }

    private static String escaped(String path) {
        try {
            return new URI(null, null, path, null).toASCIIString();
        } catch (URISyntaxException e) {
            throw new GoPanic("unable to join url: " + e.getReason());
        }
    }

    private static String part(Map<?, ?> parts, String name) {
        Object part = parts.get(name);
        if (part != null && !(part instanceof String)) {
            throw new GoPanic("unable to parse " + name + " key, must be of type string");
        }
        return part == null ? "" : (String) part;
    }
}
