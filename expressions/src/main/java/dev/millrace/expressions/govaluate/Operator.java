package dev.millrace.expressions.govaluate;

import org.jspecify.annotations.Nullable;

/**
 * Operators between two values; a higher precedence binds tighter, and all of them associate to the
 * left, ternaries included.
 */
enum Operator {
    SEPARATOR(",", 0),
    TERNARY_TRUE("?", 1),
    TERNARY_FALSE(":", 1),
    COALESCE("??", 1),
    OR("||", 2),
    AND("&&", 3),
    EQ("==", 4),
    NEQ("!=", 4),
    GT(">", 4),
    GTE(">=", 4),
    LT("<", 4),
    LTE("<=", 4),
    MATCHES("=~", 4),
    MATCHES_NOT("!~", 4),
    IN("in", 4),
    BIT_AND("&", 5),
    BIT_OR("|", 5),
    BIT_XOR("^", 5),
    SHIFT_LEFT("<<", 6),
    SHIFT_RIGHT(">>", 6),
    PLUS("+", 7),
    MINUS("-", 7),
    MULTIPLY("*", 8),
    DIVIDE("/", 8),
    MODULUS("%", 8),
    POWER("**", 9);

    private final String sign;
    private final int precedence;

    Operator(String sign, int precedence) {
        this.sign = sign;
        this.precedence = precedence;
    }

    String sign() {
        return sign;
    }

    int precedence() {
        return precedence;
    }

    /** The operator that the token is, or null for tokens of other kinds. */
    static @Nullable Operator of(Token token) {
        boolean operator =
                switch (token.kind()) {
                    case SEPARATOR, COMPARATOR, LOGICALOP, MODIFIER, TERNARY -> true;
                    case UNKNOWN,
                            PREFIX,
                            NUMERIC,
                            BOOLEAN,
                            STRING,
                            PATTERN,
                            TIME,
                            VARIABLE,
                            ACCESSOR,
                            CLAUSE,
                            CLAUSE_CLOSE ->
                            false;
                };
        if (operator) {
            for (Operator candidate : values()) {
                if (candidate.sign.equals(token.value())) {
                    return candidate;
                }
            }
        }
        return null;
    }
}
