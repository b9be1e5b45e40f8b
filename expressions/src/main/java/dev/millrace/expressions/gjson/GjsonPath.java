package dev.millrace.expressions.gjson;

/**
 * Reads values out of JSON text by path: <code>a.b</code>, <code>a.0</code>, <code>a.#</code>
 * (count), <code>a.#.b</code> (of all elements), <code>a.#(b=="x").c</code> (first match), <code>
 * a.#(b=="x")#.c</code> (all matches), <code>*</code> and <code>?</code> in names, <code>a\.b
 * </code> for a dot in a name, <code>|</code> to go on with a result, <code>@reverse</code> and
 * other modifiers, and <code>{x:a,y:b}</code> or <code>[a,b]</code> for several at once.
 */
public final class GjsonPath {

    /** Each part of a path is one more call on the stack. */
    public static final int MAX_PATH = 4_096;

    private GjsonPath() {}

    /**
     * The value at the path. Never fails: what is not there, or a path without meaning, gives an
     * absent result. The text is not validated.
     *
     * @param path an empty one finds nothing, and so does one of more than {@link #MAX_PATH}
     *     characters
     */
    public static GjsonResult get(String json, String path) {
        if (path.length() > MAX_PATH) {
            return GjsonResult.ABSENT;
        }
        Match match = PathSearch.get(json, path);
        return match == null ? GjsonResult.ABSENT : GjsonResult.of(match.raw());
    }
}
