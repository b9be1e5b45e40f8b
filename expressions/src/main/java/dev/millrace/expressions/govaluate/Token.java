package dev.millrace.expressions.govaluate;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A token.
 *
 * @param value a double, boolean, string or pattern; the names of an accessor; the sign of an
 *     operator; null before the first token
 */
record Token(TokenKind kind, @Nullable Object value) {

    String text() {
        return String.valueOf(value);
    }

    /** As messages show it. */
    String shown() {
        Object shown =
                switch (kind) {
                    // Go prints the code of the bracket.
                    case CLAUSE -> 40.0;
                    case CLAUSE_CLOSE -> 41.0;
                    default -> value;
                };
        return kind + " [" + GoText.of(shown) + "]";
    }

    @SuppressWarnings("unchecked") // The tokenizer made it.
    List<String> names() {
        return (List<String>) java.util.Objects.requireNonNull(value);
    }
}
