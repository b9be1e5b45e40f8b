package dev.millrace.expressions.expr;

import com.google.re2j.PatternSyntaxException;
import dev.millrace.expressions.expr.StaticType.Kind;
import dev.millrace.expressions.regex.GoRegex;
import org.jspecify.annotations.Nullable;

/** The type that a binary operator gives for the types of its operands. */
final class OperatorTypes {

    private final String source;

    OperatorTypes(String source) {
        this.source = source;
    }

    /**
     * @throws ExprSyntaxException if the operator is not defined for the types
     */
    StaticType result(Node.Binary node, StaticType left, StaticType right) {
        StaticType result =
                switch (node.operator()) {
                    case "==", "!=" -> comparable(left, right) ? StaticType.BOOL : null;
                    case "and", "&&", "or", "||" ->
                            both(left, right, Kind.BOOL) ? StaticType.BOOL : null;
                    case "<", ">", "<=", ">=" -> ordered(left, right) ? StaticType.BOOL : null;
                    case "+" -> sum(left, right);
                    case "-" -> difference(left, right);
                    case "*" -> product(left, right);
                    case "/", "**", "^" -> bothNumbers(left, right) ? StaticType.FLOAT : null;
                    case "%" -> remainder(node, left, right);
                    case ".." -> both(left, right, Kind.INTEGER) ? StaticType.INTEGERS : null;
                    case "??" -> left.or(right);
                    case "in" -> in(node, left, right);
                    case "matches" -> matches(node, left, right);
                    default -> both(left, right, Kind.STRING) ? StaticType.BOOL : null;
                };
        if (result == null) {
            throw error(
                    "invalid operation: "
                            + node.operator()
                            + " (mismatched types "
                            + left.name()
                            + " and "
                            + right.name()
                            + ")",
                    node);
        }
        return result;
    }

    private ExprSyntaxException error(String message, Node node) {
        return new ExprSyntaxException(message, new Position(source, node.at()));
    }

    private static boolean comparable(StaticType left, StaticType right) {
        return left.isUnknown()
                || right.isUnknown()
                || left.is(Kind.NIL)
                || right.is(Kind.NIL)
                || left.is(right.kind())
                || (left.isNumber() && right.isNumber());
    }

    /** Whether each is of the kind, or not known. */
    private static boolean both(StaticType left, StaticType right, Kind kind) {
        return (left.is(kind) || left.isUnknown()) && (right.is(kind) || right.isUnknown());
    }

    private static boolean bothNumbers(StaticType left, StaticType right) {
        return (left.isNumber() || left.isUnknown()) && (right.isNumber() || right.isUnknown());
    }

    private static boolean ordered(StaticType left, StaticType right) {
        return bothNumbers(left, right)
                || both(left, right, Kind.STRING)
                || both(left, right, Kind.TIME)
                || both(left, right, Kind.DURATION);
    }

    private static @Nullable StaticType numbers(StaticType left, StaticType right) {
        if (left.isNumber() && right.isNumber()) {
            return left.is(Kind.INTEGER) && right.is(Kind.INTEGER)
                    ? StaticType.INTEGER
                    : StaticType.FLOAT;
        }
        return bothNumbers(left, right) ? StaticType.UNKNOWN : null;
    }

    private static @Nullable StaticType sum(StaticType left, StaticType right) {
        if (left.is(Kind.STRING) && right.is(Kind.STRING)) {
            return StaticType.STRING;
        }
        boolean open = left.isUnknown() || right.isUnknown();
        boolean times =
                (left.is(Kind.TIME) || left.is(Kind.DURATION) || left.isUnknown())
                        && (right.is(Kind.TIME) || right.is(Kind.DURATION) || right.isUnknown())
                        && !(left.is(Kind.TIME) && right.is(Kind.TIME));
        if (times && !open) {
            return left.is(Kind.TIME) || right.is(Kind.TIME)
                    ? StaticType.TIME
                    : StaticType.DURATION;
        }
        if (times || (open && both(left, right, Kind.STRING))) {
            return StaticType.UNKNOWN;
        }
        return numbers(left, right);
    }

    private static @Nullable StaticType difference(StaticType left, StaticType right) {
        if (left.is(Kind.TIME) && right.is(Kind.TIME)) {
            return StaticType.DURATION;
        }
        if (left.is(Kind.TIME) && right.is(Kind.DURATION)) {
            return StaticType.TIME;
        }
        if (left.is(Kind.DURATION) && right.is(Kind.DURATION)) {
            return StaticType.DURATION;
        }
        boolean open = left.isUnknown() || right.isUnknown();
        if (open && (both(left, right, Kind.TIME) || both(left, right, Kind.DURATION))) {
            return StaticType.UNKNOWN;
        }
        return numbers(left, right);
    }

    private static @Nullable StaticType product(StaticType left, StaticType right) {
        boolean oneDuration = left.is(Kind.DURATION) != right.is(Kind.DURATION);
        if (oneDuration) {
            StaticType other = left.is(Kind.DURATION) ? right : left;
            return other.isNumber() || other.isUnknown() ? StaticType.DURATION : null;
        }
        return numbers(left, right);
    }

    private @Nullable StaticType remainder(Node.Binary node, StaticType left, StaticType right) {
        if (node.left() instanceof Node.Constant(Object dividend, int at)
                && dividend instanceof Long
                && node.right() instanceof Node.Constant(Object divisor, int at2)
                && Long.valueOf(0).equals(divisor)) {
            throw error("integer divide by zero", node);
        }
        return both(left, right, Kind.INTEGER) ? StaticType.INTEGER : null;
    }

    private @Nullable StaticType in(Node.Binary node, StaticType left, StaticType right) {
        return switch (right.kind()) {
            case UNKNOWN, NIL -> StaticType.BOOL;
            case MAP -> {
                if (right != StaticType.GROUPS
                        && !left.is(Kind.STRING)
                        && !left.is(Kind.NIL)
                        && !left.isUnknown()) {
                    throw error("cannot use " + left.name() + " as type string in map key", node);
                }
                yield StaticType.BOOL;
            }
            case LIST -> {
                if (!comparable(left, right.elementOrUnknown())) {
                    throw error(
                            "cannot use "
                                    + left.name()
                                    + " as type "
                                    + right.elementOrUnknown().name()
                                    + " in array",
                            node);
                }
                yield StaticType.BOOL;
            }
            case BOOL, INTEGER, FLOAT, STRING, TIME, DURATION, FUNCTION -> null;
        };
    }

    private @Nullable StaticType matches(Node.Binary node, StaticType left, StaticType right) {
        if (node.right() instanceof Node.Constant(Object value, int at)
                && value instanceof String pattern) {
            try {
                GoRegex.compile(pattern);
            } catch (PatternSyntaxException e) {
                throw error(String.valueOf(e.getMessage()), node);
            }
        }
        return both(left, right, Kind.STRING) ? StaticType.BOOL : null;
    }
}
