package dev.millrace.expressions.expr.value;

import java.time.Duration;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The operators over values whose types are known only now. Each panics with the types that it
 * cannot combine.
 */
public final class GoOperators {

    /** Longest text that an expression may build, in characters: a bound against memory bombs. */
    public static final int MAX_TEXT = 16 << 20;

    private GoOperators() {}

    public static Object add(@Nullable Object a, @Nullable Object b) {
        if (a instanceof Long x && b instanceof Long y) {
            return x + y;
        }
        if (a instanceof String x && b instanceof String y) {
            if ((long) x.length() + y.length() > MAX_TEXT) {
                throw new GoPanic("memory budget exceeded");
            }
            return x.concat(y);
        }
        if (a != null && b != null) {
            if (GoType.isNumber(a) && GoType.isNumber(b)) {
                return floats(a, b)
                        ? (Object) (GoType.toDouble(a) + GoType.toDouble(b))
                        : (Object) (GoType.toLong(a) + GoType.toLong(b));
            }
            if (a instanceof ZonedDateTime t && b instanceof Duration d) {
                return t.plus(d);
            }
            if (a instanceof Duration d && b instanceof ZonedDateTime t) {
                return t.plus(d);
            }
            if (a instanceof Duration x && b instanceof Duration y) {
                return x.plus(y);
            }
        }
        throw mismatch(a, "+", b);
    }

    public static Object subtract(@Nullable Object a, @Nullable Object b) {
        if (a instanceof Long x && b instanceof Long y) {
            return x - y;
        }
        if (a != null && b != null) {
            if (GoType.isNumber(a) && GoType.isNumber(b)) {
                return floats(a, b)
                        ? (Object) (GoType.toDouble(a) - GoType.toDouble(b))
                        : (Object) (GoType.toLong(a) - GoType.toLong(b));
            }
            if (a instanceof ZonedDateTime x && b instanceof ZonedDateTime y) {
                return Duration.between(y, x);
            }
            if (a instanceof ZonedDateTime t && b instanceof Duration d) {
                return t.minus(d);
            }
            if (a instanceof Duration x && b instanceof Duration y) {
                return x.minus(y);
            }
        }
        throw mismatch(a, "-", b);
    }

    public static Object multiply(@Nullable Object a, @Nullable Object b) {
        if (a instanceof Long x && b instanceof Long y) {
            return x * y;
        }
        if (a != null && b != null) {
            if (GoType.isNumber(a) && GoType.isNumber(b)) {
                return floats(a, b)
                        ? (Object) (GoType.toDouble(a) * GoType.toDouble(b))
                        : (Object) (GoType.toLong(a) * GoType.toLong(b));
            }
            if (a instanceof Duration d && GoType.isNumber(b)) {
                return scale(d, b);
            }
            if (GoType.isNumber(a) && b instanceof Duration d) {
                return scale(d, a);
            }
        }
        throw mismatch(a, "*", b);
    }

    private static Duration scale(Duration duration, Object factor) {
        return factor instanceof Double f
                ? Duration.ofNanos((long) (duration.toNanos() * f))
                : Duration.ofNanos(duration.toNanos() * GoType.toLong(factor));
    }

    public static Double divide(@Nullable Object a, @Nullable Object b) {
        if (a != null && b != null && GoType.isNumber(a) && GoType.isNumber(b)) {
            return GoType.toDouble(a) / GoType.toDouble(b);
        }
        throw mismatch(a, "/", b);
    }

    public static Long remainder(@Nullable Object a, @Nullable Object b) {
        if (a != null && b != null && GoType.isInteger(a) && GoType.isInteger(b)) {
            long divisor = GoType.toLong(b);
            if (divisor == 0) {
                throw new GoPanic("runtime error: integer divide by zero");
            }
            return GoType.toLong(a) % divisor;
        }
        throw mismatch(a, "%", b);
    }

    public static Double power(@Nullable Object a, @Nullable Object b) {
        if (a != null && b != null && GoType.isNumber(a) && GoType.isNumber(b)) {
            double base = GoType.toDouble(a);
            double exponent = GoType.toDouble(b);
            // Java calls 1**NaN and (±1)**Inf undefined; Go, after C99, says 1.
            if (base == 1 || (base == -1 && Double.isInfinite(exponent))) {
                return 1.0;
            }
            return Math.pow(base, exponent);
        }
        throw mismatch(a, "**", b);
    }

    public static Object negate(@Nullable Object value) {
        return switch (value) {
            case Long l -> -l;
            case Double d -> -d;
            case Integer i -> -(long) i;
            case GoInteger i -> new GoInteger(i.type(), -i.value(), null);
            case null, default -> throw new GoPanic("invalid operation: - " + GoType.name(value));
        };
    }

    /**
     * Negative, zero or positive as a is less than, equal to or greater than b; NaN is handled by
     * the callers.
     */
    private static int compare(Object a, Object b) {
        return floats(a, b)
                ? Double.compare(GoType.toDouble(a), GoType.toDouble(b))
                : Long.compare(GoType.toLong(a), GoType.toLong(b));
    }

    public static boolean less(@Nullable Object a, @Nullable Object b, String operator) {
        if (a instanceof Long x && b instanceof Long y) {
            return switch (operator) {
                case "<" -> x < y;
                case "<=" -> x <= y;
                case ">" -> x > y;
                default -> x >= y;
            };
        }
        int order = 0;
        if (a != null && b != null) {
            if (GoType.isNumber(a) && GoType.isNumber(b)) {
                if (isNan(a) || isNan(b)) {
                    return false;
                }
                order = compare(a, b);
                if (order != 0 && GoType.toDouble(a) == 0 && GoType.toDouble(b) == 0) {
                    order = 0; // -0.0 and 0.0
                }
            } else if (a instanceof String x && b instanceof String y) {
                order = compareText(x, y);
            } else if (a instanceof ZonedDateTime x && b instanceof ZonedDateTime y) {
                order = x.toInstant().compareTo(y.toInstant());
            } else if (a instanceof Duration x && b instanceof Duration y) {
                order = x.compareTo(y);
            } else {
                throw mismatch(a, operator, b);
            }
        } else {
            throw mismatch(a, operator, b);
        }
        return switch (operator) {
            case "<" -> order < 0;
            case "<=" -> order <= 0;
            case ">" -> order > 0;
            default -> order >= 0;
        };
    }

    /** Order of the UTF-8 bytes, which is the order of the code points. */
    public static int compareText(String a, String b) {
        int length = Math.min(a.length(), b.length());
        for (int i = 0; i < length; i++) {
            char x = a.charAt(i);
            char y = b.charAt(i);
            if (x != y) {
                boolean bothSame = Character.isSurrogate(x) == Character.isSurrogate(y);
                return bothSame ? Character.compare(x, y) : Character.isSurrogate(x) ? 1 : -1;
            }
        }
        return Integer.compare(a.length(), b.length());
    }

    private static boolean isNan(Object number) {
        return number instanceof Double d && d.isNaN();
    }

    /** Equality of the language: numbers by value whatever their type, lists element by element. */
    public static boolean equal(@Nullable Object a, @Nullable Object b) {
        return equal(a, b, new Visits());
    }

    private static boolean equal(@Nullable Object a, @Nullable Object b, Visits visits) {
        if (GoType.isNil(a) || GoType.isNil(b)) {
            return GoType.isNil(a) && GoType.isNil(b);
        }
        if (a instanceof String x) {
            return x.equals(b);
        }
        if (a != null && b != null && GoType.isNumber(a) && GoType.isNumber(b)) {
            return floats(a, b)
                    ? GoType.toDouble(a) == GoType.toDouble(b)
                    : GoType.toLong(a) == GoType.toLong(b);
        }
        if (a instanceof List<?> x && b instanceof List<?> y) {
            return sameLists(x, y, false, visits);
        }
        if (a instanceof ZonedDateTime x && b instanceof ZonedDateTime y) {
            return x.toInstant().equals(y.toInstant());
        }
        return deepEqual(a, b, visits);
    }

    /** Go's {@code reflect.DeepEqual}: the types must be the same, too. */
    public static boolean deepEqual(@Nullable Object a, @Nullable Object b) {
        return deepEqual(a, b, new Visits());
    }

    private static boolean deepEqual(@Nullable Object a, @Nullable Object b, Visits visits) {
        if (a instanceof List<?> x && b instanceof List<?> y) {
            return GoType.name(a).equals(GoType.name(b))
                    && GoType.isNil(a) == GoType.isNil(b)
                    && sameLists(x, y, true, visits);
        }
        if (a instanceof Map<?, ?> x && b instanceof Map<?, ?> y) {
            return GoType.name(a).equals(GoType.name(b)) && sameMaps(x, y, visits);
        }
        if (a instanceof Double x && b instanceof Double y) {
            return x.doubleValue() == y.doubleValue();
        }
        return Objects.equals(a, b);
    }

    private static boolean sameMaps(Map<?, ?> a, Map<?, ?> b, Visits visits) {
        if (a.size() != b.size()) {
            return false;
        }
        visits.enter();
        for (Map.Entry<?, ?> entry : a.entrySet()) {
            if (!b.containsKey(entry.getKey())
                    || !deepEqual(entry.getValue(), b.get(entry.getKey()), visits)) {
                return false;
            }
        }
        visits.leave();
        return true;
    }

    private static boolean sameLists(List<?> a, List<?> b, boolean deep, Visits visits) {
        if (a.size() != b.size()) {
            return false;
        }
        visits.enter();
        for (int i = 0; i < a.size(); i++) {
            boolean same =
                    deep
                            ? deepEqual(a.get(i), b.get(i), visits)
                            : equal(a.get(i), b.get(i), visits);
            if (!same) {
                return false;
            }
        }
        visits.leave();
        return true;
    }

    /** Whether the list holds an equal element, or the map has the key. */
    public static boolean in(@Nullable Object needle, @Nullable Object collection) {
        return switch (collection) {
            case null -> false;
            case List<?> list -> {
                for (Object element : list) {
                    if (equal(needle, element)) {
                        yield true;
                    }
                }
                yield false;
            }
            case GoMap map when !map.hasStringKeys() -> map.containsKey(hashable(needle));
            case Map<?, ?> map -> {
                if (needle != null && !(needle instanceof String)) {
                    throw new GoPanic(
                            "cannot use " + GoType.name(needle) + " as type string in map key");
                }
                yield map.containsKey(needle == null ? "" : needle);
            }
            default ->
                    throw new GoPanic("operator \"in\" not defined on " + GoType.name(collection));
        };
    }

    /** The value itself, if it can be a key. */
    public static @Nullable Object hashable(@Nullable Object key) {
        if (key instanceof Map || key instanceof List || key instanceof GoFunction) {
            throw new GoPanic("runtime error: hash of unhashable type " + GoType.name(key));
        }
        return key;
    }

    private static boolean floats(Object a, Object b) {
        return a instanceof Double || b instanceof Double;
    }

    private static GoPanic mismatch(@Nullable Object a, String operator, @Nullable Object b) {
        return new GoPanic(
                "invalid operation: " + GoType.name(a) + " " + operator + " " + GoType.name(b));
    }
}
