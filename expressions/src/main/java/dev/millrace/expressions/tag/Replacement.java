package dev.millrace.expressions.tag;

import java.util.List;

/** The outcome of replacing the tags of a text. */
public sealed interface Replacement {

    /**
     * The new text.
     *
     * @param unresolved the tags that were left in the text, as they stand between the braces, in
     *     order
     */
    record Text(String text, List<String> unresolved) implements Replacement {
        public Text {
            unresolved = List.copyOf(unresolved);
        }
    }

    /** A tag waits for a node that does not exist yet; try again later. */
    record NotYet(String tag) implements Replacement {}

    /** The text cannot be replaced; the message is fit for a node's message. */
    record Failed(String message) implements Replacement {}
}
