package dev.millrace.expressions.govaluate;

import java.util.EnumSet;
import java.util.Set;

/** Kinds of tokens, and which may follow which. */
enum TokenKind {
    /** Before the first token. */
    UNKNOWN,
    PREFIX,
    NUMERIC,
    BOOLEAN,
    STRING,
    PATTERN,
    TIME,
    VARIABLE,
    ACCESSOR,
    SEPARATOR,
    COMPARATOR,
    LOGICALOP,
    MODIFIER,
    CLAUSE,
    CLAUSE_CLOSE,
    TERNARY;

    private static final Set<TokenKind> AFTER_VALUE =
            EnumSet.of(MODIFIER, COMPARATOR, LOGICALOP, CLAUSE_CLOSE, TERNARY, SEPARATOR);

    private static final Set<TokenKind> OPERAND =
            EnumSet.of(PREFIX, NUMERIC, BOOLEAN, VARIABLE, ACCESSOR, STRING, CLAUSE);

    /** Whether an expression may end here. */
    boolean mayEnd() {
        return switch (this) {
            case NUMERIC, BOOLEAN, STRING, PATTERN, TIME, VARIABLE, ACCESSOR, CLAUSE_CLOSE -> true;
            case UNKNOWN, PREFIX, SEPARATOR, COMPARATOR, LOGICALOP, MODIFIER, CLAUSE, TERNARY ->
                    false;
        };
    }

    boolean mayBeFollowedBy(TokenKind next) {
        return switch (this) {
            case UNKNOWN -> OPERAND.contains(next) || next == PATTERN || next == TIME;
            case CLAUSE ->
                    OPERAND.contains(next)
                            || next == PATTERN
                            || next == TIME
                            || next == CLAUSE_CLOSE;
            case CLAUSE_CLOSE ->
                    AFTER_VALUE.contains(next)
                            || next == NUMERIC
                            || next == BOOLEAN
                            || next == VARIABLE
                            || next == STRING
                            || next == PATTERN
                            || next == TIME
                            || next == CLAUSE;
            case NUMERIC, BOOLEAN, STRING, VARIABLE -> AFTER_VALUE.contains(next);
            case TIME, PATTERN -> AFTER_VALUE.contains(next) && next != TERNARY;
            case ACCESSOR -> AFTER_VALUE.contains(next) || next == CLAUSE;
            case MODIFIER -> OPERAND.contains(next) || next == CLAUSE_CLOSE;
            case COMPARATOR ->
                    OPERAND.contains(next)
                            || next == TIME
                            || next == CLAUSE_CLOSE
                            || next == PATTERN;
            case LOGICALOP -> OPERAND.contains(next) || next == TIME || next == CLAUSE_CLOSE;
            case TERNARY -> OPERAND.contains(next) || next == TIME || next == SEPARATOR;
            case PREFIX ->
                    next == NUMERIC
                            || next == BOOLEAN
                            || next == VARIABLE
                            || next == ACCESSOR
                            || next == CLAUSE
                            || next == CLAUSE_CLOSE;
            case SEPARATOR -> OPERAND.contains(next) || next == TIME;
        };
    }
}
