package dev.millrace.expressions.expr.value;

import java.time.Duration;
import java.time.ZonedDateTime;
import java.util.AbstractList;
import java.util.List;
import java.util.Map;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/** Reading members, elements and parts of values. */
public final class GoFetch {

    private GoFetch() {}

    /**
     * The member or element; a missing key of a map is nil.
     *
     * @throws GoPanic if the value has no members, or the index is out of range
     */
    public static @Nullable Object fetch(@Nullable Object from, @Nullable Object key) {
        return switch (from) {
            case Map<?, ?> map -> fromMap(map, key);
            case List<?> list -> list.get(index(key, list.size()));
            case String text when !(key instanceof String) ->
                    byteAt(text, index(key, GoText.length(text)));
            case null -> throw cannot(from, key);
            default -> {
                GoFunction method = key instanceof String name ? method(from, name) : null;
                if (method == null) {
                    throw cannot(from, key);
                }
                yield method;
            }
        };
    }

    private static GoPanic cannot(@Nullable Object from, @Nullable Object key) {
        return new GoPanic("cannot fetch " + GoPrint.print(key) + " from " + GoType.name(from));
    }

    /** The member or element, or nil where {@link #fetch} would refuse. */
    public static @Nullable Object tryFetch(@Nullable Object from, @Nullable Object key) {
        switch (from) {
            case GoMap map when !map.hasStringKeys() -> GoOperators.hashable(key);
            case Map<?, ?> map -> {
                if (!(key instanceof String)) {
                    return null;
                }
            }
            case List<?> list -> {
                if (!inRange(key, list.size())) {
                    return null;
                }
            }
            case String text -> {
                if (!inRange(key, GoText.length(text))) {
                    return null;
                }
            }
            case null, default -> {
                return null;
            }
        }
        if (from instanceof Map<?, ?> map && !map.containsKey(key)) {
            return null;
        }
        return fetch(from, key);
    }

    private static boolean inRange(@Nullable Object key, int size) {
        if (key == null || !GoType.isNumber(key)) {
            return false;
        }
        long index = GoType.toLong(key);
        return index < size && index >= -(long) size;
    }

    private static @Nullable Object fromMap(Map<?, ?> map, @Nullable Object key) {
        if (map instanceof GoMap typed) {
            Object used = typed.hasStringKeys() ? stringKey(key) : GoOperators.hashable(key);
            return typed.containsKey(used) ? typed.get(used) : typed.zero();
        }
        return map.get(stringKey(key));
    }

    private static String stringKey(@Nullable Object key) {
        return switch (key) {
            case null -> "";
            case String text -> text;
            default ->
                    throw new GoPanic(
                            "reflect.Value.MapIndex: value of type "
                                    + GoType.name(key)
                                    + " is not assignable to type string");
        };
    }

    private static int index(@Nullable Object key, int size) {
        if (key == null || !GoType.isNumber(key)) {
            throw new GoPanic("invalid operation: int(" + GoType.name(key) + ")");
        }
        long index = GoType.toLong(key);
        if (index < 0) {
            index += size;
        }
        if (index < 0 || index >= size) {
            throw new GoPanic("index out of range: " + index + " (array length is " + size + ")");
        }
        return (int) index;
    }

    private static GoInteger byteAt(String text, int index) {
        return GoInteger.uint8(
                GoText.isAscii(text) ? (byte) text.charAt(index) : GoText.utf8(text)[index]);
    }

    /** The method bound to the value; null where the type has none of that name. */
    public static @Nullable GoFunction method(Object value, String name) {
        return switch (value) {
            case ZonedDateTime time -> TimeMethods.of(time, name);
            case Duration duration -> TimeMethods.of(duration, name);
            case GoObject object -> object.method(name);
            case GoInteger named when named.name() != null && name.equals("String") ->
                    arguments -> named.toString();
            default -> null;
        };
    }

    /**
     * A part of a list or a text; bounds beyond the ends are cut, negative ones count from the end.
     *
     * @param from null for the start
     * @param to null for the end
     */
    public static Object slice(@Nullable Object value, @Nullable Object from, @Nullable Object to) {
        return switch (value) {
            case String text -> {
                int length = GoText.length(text);
                int end = bound(to, length, length);
                yield GoText.slice(text, Math.min(end, bound(from, 0, length)), end);
            }
            case List<?> list -> {
                int end = bound(to, list.size(), list.size());
                yield slice(list, Math.min(end, bound(from, 0, list.size())), end);
            }
            case null, default -> throw new GoPanic("cannot slice " + GoType.name(value));
        };
    }

    /** The elements from (included) to (excluded), keeping the type of the list. */
    public static List<?> slice(List<?> list, int from, int to) {
        return list instanceof GoList typed ? typed.slice(from, to) : list.subList(from, to);
    }

    private static int bound(@Nullable Object value, int otherwise, int length) {
        if (value == null) {
            return otherwise;
        }
        if (!GoType.isNumber(value)) {
            throw new GoPanic("invalid operation: int(" + GoType.name(value) + ")");
        }
        long bound = GoType.toLong(value);
        if (bound < 0) {
            bound += length;
        }
        return (int) Math.max(0, Math.min(length, bound));
    }

    /** What a loop runs over: the list itself, or the bytes of a text. */
    public static List<?> elements(@Nullable Object value) {
        return switch (value) {
            case List<?> list -> list;
            case String text -> new Bytes(GoText.utf8(text));
            case null -> throw new GoPanic("reflect: call of reflect.Value.Len on zero Value");
            case Map<?, ?> map ->
                    throw new GoPanic("reflect: call of reflect.Value.Index on map Value");
            default ->
                    throw new GoPanic(
                            "reflect: call of reflect.Value.Len on "
                                    + GoType.kind(value)
                                    + " Value");
        };
    }

    private static final class Bytes extends AbstractList<Object> implements RandomAccess {
        private final byte[] bytes;

        Bytes(byte[] bytes) {
            this.bytes = bytes;
        }

        @Override
        public Object get(int index) {
            return GoInteger.uint8(bytes[index]);
        }

        @Override
        public int size() {
            return bytes.length;
        }
    }
}
