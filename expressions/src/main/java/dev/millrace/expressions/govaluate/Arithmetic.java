package dev.millrace.expressions.govaluate;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.millrace.expressions.regex.GoRegex;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The operators over values, with govaluate's checks of types and their messages. */
final class Arithmetic {

    private Arithmetic() {}

    static Object prefix(String sign, @Nullable Object right) {
        if (sign.equals("!") && right instanceof Boolean value) {
            return !value;
        }
        if (!sign.equals("!") && right instanceof Double value) {
            return sign.equals("-") ? -value : (double) ~value.longValue();
        }
        throw new GovaluateException(
                "Value '" + GoText.of(right) + "' cannot be used with the prefix '" + sign + "'");
    }

    /** All operators but the separator; the left side of a logical one did not decide already. */
    static @Nullable Object binary(
            Operator operator, @Nullable Object left, @Nullable Object right) {
        return switch (operator) {
            case TERNARY_TRUE -> {
                bool(operator, left, "ternary operator");
                yield right;
            }
            case TERNARY_FALSE, COALESCE -> right;
            case OR, AND -> {
                bool(operator, left, "logical operator");
                yield bool(operator, right, "logical operator");
            }
            case EQ -> Objects.equals(left, right);
            case NEQ -> !Objects.equals(left, right);
            case GT -> compare(operator, left, right) > 0;
            case GTE -> compare(operator, left, right) >= 0;
            case LT -> compare(operator, left, right) < 0;
            case LTE -> compare(operator, left, right) <= 0;
            case MATCHES -> matches(operator, left, right);
            case MATCHES_NOT -> !matches(operator, left, right);
            case IN -> {
                if (!(right instanceof List<?> list)) {
                    throw notANumber("comparator", operator, right);
                }
                yield list.contains(left);
            }
            case PLUS -> plus(left, right);
            case BIT_AND,
                    BIT_OR,
                    BIT_XOR,
                    SHIFT_LEFT,
                    SHIFT_RIGHT,
                    MINUS,
                    MULTIPLY,
                    DIVIDE,
                    MODULUS,
                    POWER ->
                    calculate(operator, number(operator, left), number(operator, right));
            case SEPARATOR ->
                    throw new IllegalArgumentException("a separator has no value of its own");
        };
    }

    private static Object calculate(Operator operator, double left, double right) {
        return switch (operator) {
            case BIT_AND -> (double) ((long) left & (long) right);
            case BIT_OR -> (double) ((long) left | (long) right);
            case BIT_XOR -> (double) ((long) left ^ (long) right);
            case SHIFT_LEFT -> right >= Long.SIZE ? 0.0 : unsigned((long) left << (long) right);
            case SHIFT_RIGHT -> right >= Long.SIZE ? 0.0 : unsigned((long) left >>> (long) right);
            case MINUS -> left - right;
            case MULTIPLY -> left * right;
            case DIVIDE -> left / right;
            case MODULUS -> left % right;
            case POWER -> Math.pow(left, right);
            default -> throw new IllegalArgumentException(operator + " does not calculate");
        };
    }

    private static double unsigned(long bits) {
        return bits >= 0 ? bits : (bits >>> 1) * 2.0;
    }

    private static Object plus(@Nullable Object left, @Nullable Object right) {
        if (left instanceof Double a && right instanceof Double b) {
            return a + b;
        }
        if (left instanceof String || right instanceof String) {
            return GoText.of(left) + GoText.of(right);
        }
        throw notANumber("modifier", Operator.PLUS, left);
    }

    private static int compare(Operator operator, @Nullable Object left, @Nullable Object right) {
        if (left instanceof Double a && right instanceof Double b) {
            return Double.compare(a, b);
        }
        if (left instanceof String a && right instanceof String b) {
            return a.compareTo(b);
        }
        throw notANumber("comparator", operator, left);
    }

    private static boolean matches(
            Operator operator, @Nullable Object left, @Nullable Object right) {
        if (!(left instanceof String text)) {
            throw notANumber("comparator", operator, left);
        }
        return switch (right) {
            case Pattern pattern -> pattern.matcher(text).find();
            case String pattern -> {
                try {
                    yield GoRegex.compile(pattern).matcher(text).find();
                } catch (PatternSyntaxException e) {
                    throw new GovaluateException(
                            "Unable to compile regexp pattern '"
                                    + pattern
                                    + "': "
                                    + e.getMessage());
                }
            }
            case null, default -> throw notANumber("comparator", operator, right);
        };
    }

    private static boolean bool(Operator operator, @Nullable Object value, String what) {
        if (value instanceof Boolean bool) {
            return bool;
        }
        throw new GovaluateException(
                "Value '"
                        + GoText.of(value)
                        + "' cannot be used with the "
                        + what
                        + " '"
                        + operator.sign()
                        + "', it is not a bool");
    }

    private static double number(Operator operator, @Nullable Object value) {
        if (value instanceof Double number) {
            return number;
        }
        throw notANumber("modifier", operator, value);
    }

    private static GovaluateException notANumber(
            String what, Operator operator, @Nullable Object value) {
        return new GovaluateException(
                "Value '"
                        + GoText.of(value)
                        + "' cannot be used with the "
                        + what
                        + " '"
                        + operator.sign()
                        + "', it is not a number");
    }
}
