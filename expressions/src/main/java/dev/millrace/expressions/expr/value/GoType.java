package dev.millrace.expressions.expr.value;

import java.time.Duration;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What type a value has in Go's eyes. */
public final class GoType {

    private GoType() {}

    /** The text of {@code %T}. */
    public static String name(@Nullable Object value) {
        return switch (value) {
            case null -> "<nil>";
            case Boolean b -> "bool";
            case Long l -> "int";
            case Integer i -> "int";
            case Double d -> "float64";
            case String s -> "string";
            case GoInteger i -> i.type();
            case GoList l -> l.type();
            case List<?> l -> "[]interface {}";
            case GoMap m -> m.type();
            case Map<?, ?> m -> "map[string]interface {}";
            case ZonedDateTime t -> "time.Time";
            case Duration d -> "time.Duration";
            case GoFunction f -> "func(...interface {}) (interface {}, error)";
            case GoObject o -> o.goType();
            default -> value.getClass().getSimpleName();
        };
    }

    /** The text of {@code reflect.Kind}. */
    public static String kind(@Nullable Object value) {
        return switch (value) {
            case null -> "invalid";
            case GoInteger i -> i.type().startsWith("time.") ? "int" : i.type();
            case List<?> l -> "slice";
            case Map<?, ?> m -> "map";
            case ZonedDateTime t -> "struct";
            case Duration d -> "int64";
            case GoFunction f -> "func";
            case GoObject o -> o.goType().startsWith("*") ? "ptr" : "struct";
            default -> name(value);
        };
    }

    public static boolean isNil(@Nullable Object value) {
        return value == null || (value instanceof GoList list && list.isNil());
    }

    public static boolean isInteger(@Nullable Object value) {
        return value instanceof Long || value instanceof GoInteger || value instanceof Integer;
    }

    public static boolean isNumber(@Nullable Object value) {
        return isInteger(value) || value instanceof Double;
    }

    /** The number as a long, a fraction cut off. */
    public static long toLong(Object number) {
        return switch (number) {
            case Long l -> l;
            case Integer i -> i;
            // What does not fit, and NaN, is the smallest integer on the processors Go mostly runs
            // on.
            case Double d -> d > -0x1p63 && d < 0x1p63 ? d.longValue() : Long.MIN_VALUE;
            case GoInteger i -> i.value();
            default -> throw new GoPanic("invalid operation: int(" + name(number) + ")");
        };
    }

    public static double toDouble(Object number) {
        return switch (number) {
            case Long l -> (double) l;
            case Integer i -> i;
            case Double d -> d;
            case GoInteger i -> (double) i.value();
            default -> throw new GoPanic("invalid operation: float(" + name(number) + ")");
        };
    }

    /**
     * The value as callers outside the language know it: sized integers become Long, a nil list
     * null. The same instance comes back where nothing is to change.
     */
    public static @Nullable Object plain(@Nullable Object value) {
        return plain(value, new Visits());
    }

    private static @Nullable Object plain(@Nullable Object value, Visits visits) {
        return switch (value) {
            case null -> null;
            case GoInteger i -> i.value();
            case Integer i -> (long) i;
            case GoList list when list.isNil() -> null;
            case List<?> list -> plainList(list, visits);
            case Map<?, ?> map -> plainMap(map, visits);
            default -> value;
        };
    }

    private static List<?> plainList(List<?> list, Visits visits) {
        java.util.ArrayList<@Nullable Object> copy = null;
        visits.enter();
        for (int i = 0; i < list.size(); i++) {
            Object element = list.get(i);
            Object plain = plain(element, visits);
            if (copy == null && plain != element) {
                copy = new java.util.ArrayList<>(list.size());
                copy.addAll(list.subList(0, i));
            }
            if (copy != null) {
                copy.add(plain);
            }
        }
        visits.leave();
        return copy == null ? list : copy;
    }

    private static Map<?, ?> plainMap(Map<?, ?> map, Visits visits) {
        Map<@Nullable Object, @Nullable Object> copy = new java.util.LinkedHashMap<>();
        boolean changes = false;
        visits.enter();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            Object plain = plain(entry.getValue(), visits);
            changes |= plain != entry.getValue();
            copy.put(entry.getKey(), plain);
        }
        visits.leave();
        return changes ? copy : map;
    }
}
