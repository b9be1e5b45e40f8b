package dev.millrace.expressions.expr;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the checker knows about a node.
 *
 * @param name as messages print it
 * @param element the type of the elements of a list; null where it is not known or there are none
 */
record StaticType(Kind kind, String name, @Nullable StaticType element) {

    enum Kind {
        UNKNOWN,
        NIL,
        BOOL,
        INTEGER,
        FLOAT,
        STRING,
        LIST,
        MAP,
        TIME,
        DURATION,
        FUNCTION
    }

    static final StaticType UNKNOWN = new StaticType(Kind.UNKNOWN, "unknown", null);
    static final StaticType NIL = new StaticType(Kind.NIL, "unknown", null);
    static final StaticType BOOL = new StaticType(Kind.BOOL, "bool", null);
    static final StaticType INTEGER = new StaticType(Kind.INTEGER, "int", null);
    static final StaticType FLOAT = new StaticType(Kind.FLOAT, "float64", null);
    static final StaticType STRING = new StaticType(Kind.STRING, "string", null);
    static final StaticType LIST = new StaticType(Kind.LIST, "[]interface {}", null);
    static final StaticType INTEGERS = new StaticType(Kind.LIST, "[]int", INTEGER);
    static final StaticType STRINGS = new StaticType(Kind.LIST, "[]string", STRING);
    static final StaticType MAP = new StaticType(Kind.MAP, "map[string]interface {}", null);
    static final StaticType GROUPS =
            new StaticType(Kind.MAP, "map[interface {}][]interface {}", LIST);
    static final StaticType TIME = new StaticType(Kind.TIME, "time.Time", null);
    static final StaticType DURATION = new StaticType(Kind.DURATION, "time.Duration", null);
    static final StaticType FUNCTION =
            new StaticType(Kind.FUNCTION, "func(...interface {}) (interface {}, error)", null);

    static StaticType of(ExprType declared) {
        return switch (declared) {
            case ANY -> UNKNOWN;
            case NIL -> NIL;
            case BOOL -> BOOL;
            case INT -> INTEGER;
            case FLOAT -> FLOAT;
            case STRING -> STRING;
            case LIST -> LIST;
            case MAP -> MAP;
            case TIME -> TIME;
            case DURATION -> DURATION;
        };
    }

    static StaticType listOf(StaticType element) {
        return new StaticType(Kind.LIST, "[]interface {}", element);
    }

    boolean is(Kind wanted) {
        return kind == wanted;
    }

    boolean isUnknown() {
        return kind == Kind.UNKNOWN;
    }

    boolean isNumber() {
        return kind == Kind.INTEGER || kind == Kind.FLOAT;
    }

    /** The type of an element of a list or a value of a map. */
    StaticType elementOrUnknown() {
        return Objects.requireNonNullElse(element, UNKNOWN);
    }

    /** What either of two branches may give. */
    StaticType or(StaticType other) {
        if (is(Kind.NIL)) {
            return other;
        }
        if (other.is(Kind.NIL) || kind == other.kind && name.equals(other.name)) {
            return kind == Kind.LIST
                            && !Objects.equals(element, other.element)
                            && !other.is(Kind.NIL)
                    ? LIST
                    : this;
        }
        return UNKNOWN;
    }
}
