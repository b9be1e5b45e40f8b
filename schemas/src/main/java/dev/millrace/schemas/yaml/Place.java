package dev.millrace.schemas.yaml;

/**
 * A position in a source text.
 *
 * @param source the name of the text as a person knows it, a file name as a rule
 * @param line counted from 1; 0 where there is no text
 * @param column counted from 1, in code points
 */
public record Place(String source, int line, int column) {

    /** Whether there is a text that it is a position in. */
    public boolean isKnown() {
        return line > 0;
    }

    /** The form that editors and terminals make clickable: {@code source:line:column}. */
    @Override
    public String toString() {
        return source + ":" + line + ":" + column;
    }
}
