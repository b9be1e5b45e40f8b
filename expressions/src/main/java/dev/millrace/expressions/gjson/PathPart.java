package dev.millrace.expressions.gjson;

import org.jspecify.annotations.Nullable;

/** The first part of a path, read for an object or for an array, and what follows it. */
final class PathPart {

    private PathPart() {}

    /**
     * A part that names a member.
     *
     * @param name without escapes; a pattern, with its escapes, if {@code wild}
     * @param rest the path below the member; null if it ends here
     * @param pipe what is applied to the result; null if nothing
     */
    record Member(String name, boolean wild, @Nullable String rest, @Nullable String pipe) {}

    static Member member(String path) {
        StringBuilder name = new StringBuilder();
        boolean wild = false;
        int at = 0;
        while (at < path.length()) {
            char c = path.charAt(at);
            if (c == '.' || c == '|') {
                break;
            }
            wild |= c == '*' || c == '?';
            if (c == '\\' && at + 1 < path.length()) {
                at++;
            }
            name.append(path.charAt(at));
            at++;
        }
        String shown = wild ? path.substring(0, at) : name.toString();
        if (at >= path.length()) {
            return new Member(shown, wild, null, null);
        }
        String rest = path.substring(at + 1);
        return path.charAt(at) == '|' || isPiped(rest)
                ? new Member(shown, wild, null, rest)
                : new Member(shown, wild, rest, null);
    }

    /**
     * A part that picks elements.
     *
     * @param name an index, or {@code #} for the count
     * @param each of {@code #.path}: the path below every element; null otherwise
     * @param query of {@code #(...)}; null otherwise
     */
    record Elements(
            String name,
            @Nullable String each,
            @Nullable Query query,
            @Nullable String rest,
            @Nullable String pipe) {}

    /** Null if a query is broken. */
    static @Nullable Elements elements(String path) {
        if (path.startsWith("#.")) {
            return new Elements("#", path.substring(2), null, null, null);
        }
        Query query = null;
        int at = 0;
        if (path.startsWith("#(") || path.startsWith("#[")) {
            query = Query.parse(path);
            if (query == null) {
                return null;
            }
            at = query.end();
        }
        while (at < path.length() && path.charAt(at) != '.' && path.charAt(at) != '|') {
            at++;
        }
        String name = path.substring(0, at);
        if (at >= path.length()) {
            return new Elements(name, null, query, null, null);
        }
        String rest = path.substring(at + 1);
        boolean piped = path.charAt(at) == '|' || (!name.contains("#") && isPiped(rest));
        return piped
                ? new Elements(name, null, query, null, rest)
                : new Elements(name, null, query, rest, null);
    }

    /** After a dot: a modifier or a multipath applies to the result, as after a pipe. */
    private static boolean isPiped(String rest) {
        return rest.startsWith("[")
                || rest.startsWith("{")
                || (rest.startsWith("@") && Modifiers.isKnown(rest));
    }

    /** The position of the first pipe outside of queries and multipaths, or -1. */
    static int pipe(String path) {
        int at = 0;
        while (at < path.length()) {
            char c = path.charAt(at);
            if (c == '|') {
                return at;
            }
            if (c == '\\') {
                at += 2;
            } else if (c == '(' || c == '[' || c == '{') {
                at = JsonSlice.valueEnd(path, at);
            } else {
                at++;
            }
        }
        return -1;
    }
}
