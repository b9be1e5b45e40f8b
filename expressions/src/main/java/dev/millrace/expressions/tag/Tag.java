package dev.millrace.expressions.tag;

/** One tag of a text. */
public sealed interface Tag {

    /** <code>{{name}}</code>; the name is trimmed. */
    record Simple(String name) implements Tag {}

    /**
     * <code>{{=source}}</code>; the source as it stands in the text (JSON-escaped where the text is
     * JSON).
     */
    record Expression(String source) implements Tag {}
}
