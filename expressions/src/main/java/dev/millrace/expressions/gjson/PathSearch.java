package dev.millrace.expressions.gjson;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the first value, in the order of the text, that a path leads to. */
final class PathSearch {

    private final String json;
    private @Nullable Match found;
    private @Nullable String pipe;

    private PathSearch(String json) {
        this.json = json;
    }

    /** The value at the path; null if there is none. */
    static @Nullable Match get(String json, String path) {
        if (path.length() > 1) {
            switch (path.charAt(0)) {
                case '@', '!' -> {
                    Modifiers.Applied applied = Modifiers.apply(json, path);
                    if (applied != null) {
                        return piped(applied.json(), applied.rest());
                    }
                }
                case '[', '{' -> {
                    Modifiers.Applied applied = MultiPath.apply(json, path);
                    if (applied != null) {
                        return piped(applied.json(), applied.rest());
                    }
                }
                default -> {}
            }
        }
        if (path.startsWith("..")) {
            return unplaced(
                    get("[" + String.join(",", JsonElements.lines(json)) + "]", path.substring(2)));
        }
        return new PathSearch(json).run(path);
    }

    private static @Nullable Match piped(String json, String rest) {
        if (rest.startsWith("|") || rest.startsWith(".")) {
            return unplaced(get(json, rest.substring(1)));
        }
        String raw = JsonSlice.first(json);
        return raw.isEmpty() ? null : Match.made(raw);
    }

    private static @Nullable Match unplaced(@Nullable Match match) {
        return match == null ? null : Match.made(match.raw());
    }

    private @Nullable Match run(String path) {
        descend(JsonSlice.skipSpace(json, 0), path);
        return pipe == null ? found : unplaced(get(found == null ? "" : found.raw(), pipe));
    }

    /** Looks below the value that starts here. */
    private boolean descend(int at, String path) {
        if (at >= json.length()) {
            return false;
        }
        return switch (json.charAt(at)) {
            case '{' -> inObject(at + 1, path);
            case '[' -> inArray(at + 1, path);
            default -> false;
        };
    }

    private boolean inObject(int from, String path) {
        PathPart.Member part = PathPart.member(path);
        if (part.pipe() != null) {
            pipe = part.pipe();
        }
        int at = JsonElements.next(json, from);
        while (at < json.length() && json.charAt(at) == '"') {
            int keyEnd = JsonSlice.stringEnd(json, at);
            String key = GjsonResult.unquoted(json.substring(at, keyEnd));
            int start = JsonElements.next(json, keyEnd);
            int end = JsonSlice.valueEnd(json, start);
            boolean hit = part.wild() ? Glob.matches(key, part.name()) : key.equals(part.name());
            if (hit && take(start, end, part.rest())) {
                return true;
            }
            at = JsonElements.next(json, end);
        }
        return false;
    }

    /** The value itself if the path ends here, else what is below it. */
    private boolean take(int start, int end, @Nullable String rest) {
        if (rest != null) {
            return descend(start, rest);
        }
        found = Match.at(start, json.substring(start, end));
        return true;
    }

    private boolean inArray(int from, String path) {
        PathPart.Elements part = PathPart.elements(path);
        if (part == null) {
            return false;
        }
        if (part.pipe() != null) {
            pipe = part.pipe();
        }
        List<Match> elements = new ArrayList<>();
        int at = JsonElements.next(json, from);
        boolean selective = part.query() == null && part.each() == null && !part.name().equals("#");
        while (at < json.length() && json.charAt(at) != ']') {
            int end = JsonSlice.valueEnd(json, at);
            if (end == at) {
                return false;
            }
            if (selective && part.name().equals(Integer.toString(elements.size()))) {
                return take(at, end, part.rest());
            }
            // Only the places are kept where the texts are not needed.
            elements.add(selective ? COUNTED : Match.at(at, json.substring(at, end)));
            at = JsonElements.next(json, end);
        }
        if (selective) {
            return false;
        }
        if (part.query() != null) {
            return query(part.query(), part.rest(), elements);
        }
        if (part.each() != null) {
            found = collect(elements, split(part.each()));
            return true;
        }
        found = Match.made(Integer.toString(elements.size()));
        return true;
    }

    private static final Match COUNTED = Match.made("");

    /** Of a path with a pipe the left side; the right side is kept for the result. */
    private String split(String path) {
        int bar = PathPart.pipe(path);
        if (bar < 0) {
            return path;
        }
        pipe = path.substring(bar + 1);
        return path.substring(0, bar);
    }

    private boolean query(Query query, @Nullable String rest, List<Match> elements) {
        String below = rest == null ? null : split(rest);
        List<Match> matching = new ArrayList<>();
        for (Match element : elements) {
            if (query.matches(subject(query, element.raw()))) {
                if (!query.all()) {
                    found = below == null ? element : below(element, below);
                    return found != null;
                }
                matching.add(element);
            }
        }
        if (!query.all()) {
            return false;
        }
        found = collect(matching, below);
        return true;
    }

    private static GjsonResult subject(Query query, String element) {
        boolean container = element.startsWith("{") || element.startsWith("[");
        if (container) {
            return GjsonPath.get(element, query.path());
        }
        return query.path().isEmpty() ? GjsonResult.of(element) : GjsonResult.ABSENT;
    }

    private static @Nullable Match below(Match element, String path) {
        Match match = get(element.raw(), path);
        return match == null ? null : match.shifted(element.index());
    }

    /** An array of what is below each of the elements. */
    private static Match collect(List<Match> elements, @Nullable String path) {
        List<String> raws = new ArrayList<>();
        List<Match.Span> spans = new ArrayList<>();
        for (Match element : elements) {
            Match match = path == null ? element : below(element, path);
            if (match != null) {
                raws.add(match.raw());
                if (match.index() != Match.NOWHERE) {
                    spans.add(new Match.Span(match.index(), match.raw().length()));
                }
            }
        }
        return new Match("[" + String.join(",", raws) + "]", Match.NOWHERE, spans);
    }
}
