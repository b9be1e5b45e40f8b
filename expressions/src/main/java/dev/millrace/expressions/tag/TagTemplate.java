package dev.millrace.expressions.tag;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A text with <code>{{simple}}</code> and <code>{{=expression}}</code> tags, parsed once. A tag
 * begins at <code>{{</code> and ends at the next <code>}}</code>; a simple tag may hold others,
 * which are replaced first. Immutable and safe to share between threads.
 */
public final class TagTemplate {

    private static final int EXCERPT = 60;

    private final String text;
    private final List<Part> parts;
    private final @Nullable String syntaxError;

    private TagTemplate(String text, List<Part> parts, @Nullable String syntaxError) {
        this.text = text;
        this.parts = parts;
        this.syntaxError = syntaxError;
    }

    /** Parses a text. A tag without an end is an error that {@link #replace} reports. */
    public static TagTemplate parse(String text) {
        List<Part> parts = new TagParser(text).parse();
        return parts == null
                ? new TagTemplate(text, List.of(), unclosed(text))
                : new TagTemplate(text, parts, null);
    }

    private static String unclosed(String text) {
        int open = text.indexOf("{{", text.lastIndexOf("}}") + 1);
        int end = Math.min(text.length(), open + EXCERPT);
        String from = text.substring(open, end) + (end < text.length() ? "..." : "");
        return "Cannot find end tag=\"}}\" in the template starting from \"" + from + "\"";
    }

    /** Whether {@link #replace} has anything to do. */
    public boolean hasTags() {
        return syntaxError != null
                || parts.stream().anyMatch(part -> !(part instanceof Part.Literal));
    }

    /**
     * All tags in order: names of simple tags, trimmed, and sources of expression tags. Of nested
     * tags only the innermost.
     */
    public List<Tag> tags() {
        List<Tag> tags = new ArrayList<>();
        collect(parts, tags);
        return List.copyOf(tags);
    }

    private static void collect(List<Part> parts, List<Tag> tags) {
        for (Part part : parts) {
            switch (part) {
                case Part.Literal(String ignored) -> {}
                case Part.Name name -> tags.add(name.tag());
                case Part.Expression expression -> tags.add(expression.tag());
                case Part.Nested(List<Part> inner) -> collect(inner, tags);
            }
        }
    }

    /**
     * Replaces the tags.
     *
     * <ul>
     *   <li>A simple tag becomes the value of its name. Unknown: it stays ({@link Mode#LENIENT}) or
     *       fails ({@link Mode#STRICT}).
     *   <li>An expression tag becomes its result, a string as it is, anything else as JSON. In a
     *       lenient run it stays when it does not compile, fails, is nil, or reads a variable that
     *       a later stage brings.
     *   <li>A name that is {@link Lookup.NotYet} makes the whole outcome {@link
     *       Replacement.NotYet}.
     *   <li>A simple tag of an {@link Lookup.Absent} output fails; in an expression it is nil.
     * </ul>
     *
     * @param jsonEscape the text is JSON: values are escaped to sit inside a JSON string, and the
     *     source of an expression is unescaped before it is compiled
     */
    public Replacement replace(Scope scope, Mode mode, boolean jsonEscape) {
        if (syntaxError != null) {
            return new Replacement.Failed(syntaxError);
        }
        if (!hasTags()) {
            return new Replacement.Text(text, List.of());
        }
        return new Substitution(scope, mode, jsonEscape).apply(parts);
    }

    /** The text as it was parsed. */
    @Override
    public String toString() {
        return text;
    }
}
