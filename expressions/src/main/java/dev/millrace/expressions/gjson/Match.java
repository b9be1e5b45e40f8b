package dev.millrace.expressions.gjson;

import java.util.List;

/**
 * A value that was found.
 *
 * @param raw its JSON text
 * @param index where it stands in the searched text; {@link #NOWHERE} if it was made
 * @param spans where the elements of a made array stand in the searched text
 */
record Match(String raw, int index, List<Span> spans) {

    static final int NOWHERE = -1;

    /** A piece of the searched text. */
    record Span(int start, int length) {}

    static Match at(int index, String raw) {
        return new Match(raw, index, List.of());
    }

    static Match made(String raw) {
        return new Match(raw, NOWHERE, List.of());
    }

    /** The same, seen from a text in which the searched one starts at {@code offset}. */
    Match shifted(int offset) {
        return new Match(
                raw,
                index == NOWHERE ? NOWHERE : index + offset,
                spans.stream()
                        .map(span -> new Span(span.start() + offset, span.length()))
                        .toList());
    }
}
