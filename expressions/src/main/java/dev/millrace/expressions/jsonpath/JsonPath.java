package dev.millrace.expressions.jsonpath;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A compiled JSONPath. A path without wildcards, ranges, unions, filters and {@code ..} gives one
 * value; the others give a list, and each of them inside a path makes the list one level deeper:
 * {@code $[*].a[*]} is a list of lists.
 */
public final class JsonPath {

    private final List<Segment> segments;

    private JsonPath(List<Segment> segments) {
        this.segments = segments;
    }

    /**
     * @throws JsonPathException if the text is no path
     */
    public static JsonPath compile(String path) {
        return new JsonPath(PathParser.parse(path));
    }

    /**
     * Reads from a document of maps, lists, strings, numbers, booleans and nulls.
     *
     * @throws JsonPathException if a path to one value leads nowhere
     */
    public @Nullable Object read(@Nullable Object document) {
        return Walk.from(document, document, segments);
    }
}
