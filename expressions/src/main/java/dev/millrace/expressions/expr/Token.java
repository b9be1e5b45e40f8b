package dev.millrace.expressions.expr;

import dev.millrace.expressions.expr.value.GoPrint;

/**
 * @param at where the token starts, in code points
 */
record Token(Kind kind, String text, int at) {

    enum Kind {
        IDENTIFIER("Identifier"),
        NUMBER("Number"),
        STRING("String"),
        OPERATOR("Operator"),
        BRACKET("Bracket"),
        END("EOF");

        private final String shown;

        Kind(String shown) {
            this.shown = shown;
        }
    }

    boolean is(Kind wanted) {
        return kind == wanted;
    }

    boolean operator(String wanted) {
        return kind == Kind.OPERATOR && text.equals(wanted);
    }

    boolean bracket(String wanted) {
        return kind == Kind.BRACKET && text.equals(wanted);
    }

    /** As messages name it, for instance {@code Operator("in")}. */
    String shown() {
        return kind == Kind.END ? kind.shown : kind.shown + "(" + GoPrint.quote(text) + ")";
    }
}
