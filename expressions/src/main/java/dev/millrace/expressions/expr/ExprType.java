package dev.millrace.expressions.expr;

import java.time.Duration;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is known about a variable before it is read. */
public enum ExprType {
    ANY,
    NIL,
    BOOL,
    INT,
    FLOAT,
    STRING,
    LIST,
    MAP,
    TIME,
    DURATION;

    /** The type of a value; {@link #ANY} for a value of no type of the language. */
    public static ExprType of(@Nullable Object value) {
        return switch (value) {
            case null -> NIL;
            case Boolean b -> BOOL;
            case Long l -> INT;
            case Integer i -> INT;
            case Double d -> FLOAT;
            case String s -> STRING;
            case List<?> l -> LIST;
            case Map<?, ?> m -> MAP;
            case ZonedDateTime t -> TIME;
            case Duration d -> DURATION;
            default -> ANY;
        };
    }
}
