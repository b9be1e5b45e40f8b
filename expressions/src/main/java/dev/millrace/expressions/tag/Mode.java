package dev.millrace.expressions.tag;

/** What becomes of a tag that cannot be resolved. */
public enum Mode {
    /** It stays in the text as it is, for a later stage. */
    LENIENT,
    /** The replacement fails. */
    STRICT
}
