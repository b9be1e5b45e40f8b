package dev.millrace.schemas.yaml;

/**
 * A position in a source text.
 *
 * @param source the name of the text as a person knows it, a file name as a rule
 * @param line counted from 1
 * @param column counted from 1, in code points
 */
public record Place(String source, int line, int column) {

    /** The form that editors and terminals make clickable: {@code source:line:column}. */
    @Override
    public String toString() {
        return source + ":" + line + ":" + column;
    }
}
