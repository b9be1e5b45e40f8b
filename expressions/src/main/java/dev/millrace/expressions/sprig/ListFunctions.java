package dev.millrace.expressions.sprig;

import dev.millrace.expressions.expr.value.GoList;
import dev.millrace.expressions.expr.value.GoOperators;
import dev.millrace.expressions.expr.value.GoPanic;
import dev.millrace.expressions.expr.value.GoType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Lists. Nothing is changed in place: each function gives a new list. */
final class ListFunctions {

    private static final int MAX_ELEMENTS = 1_000_000;

    private ListFunctions() {}

    static void addTo(Map<String, SprigFunction> table) {
        table.put("list", a -> new ArrayList<>(a.values()));
        table.put("tuple", a -> new ArrayList<>(a.values()));
        both(table, "first", a -> a.list(0).isEmpty() ? null : a.list(0).getFirst());
        both(table, "last", a -> a.list(0).isEmpty() ? null : a.list(0).getLast());
        both(table, "rest", a -> part(a.list(0), 1, a.list(0).size()));
        both(table, "initial", a -> part(a.list(0), 0, a.list(0).size() - 1));
        both(table, "append", ListFunctions::append);
        both(table, "push", ListFunctions::append);
        both(
                table,
                "prepend",
                a -> {
                    List<@Nullable Object> list = new ArrayList<>();
                    list.add(a.get(1));
                    list.addAll(a.list(0));
                    return list;
                });
        table.put(
                "concat",
                a -> {
                    List<@Nullable Object> list = new ArrayList<>();
                    for (int i = 0; i < a.size(); i++) {
                        list.addAll(a.list(i));
                        bounded(list.size());
                    }
                    return list;
                });
        both(
                table,
                "reverse",
                a -> {
                    List<@Nullable Object> list = new ArrayList<>(a.list(0));
                    Collections.reverse(list);
                    return list;
                });
        both(
                table,
                "uniq",
                a -> {
                    List<@Nullable Object> list = new ArrayList<>();
                    for (Object each : a.list(0)) {
                        if (!has(each, list)) {
                            list.add(each);
                        }
                    }
                    return list;
                });
        both(
                table,
                "without",
                a -> {
                    List<@Nullable Object> list = new ArrayList<>();
                    for (Object each : a.list(0)) {
                        if (!has(each, a.from(1))) {
                            list.add(each);
                        }
                    }
                    return list;
                });
        both(table, "has", a -> a.get(1) != null && has(a.get(0), a.list(1)));
        both(
                table,
                "compact",
                a -> {
                    List<@Nullable Object> list = new ArrayList<>();
                    for (Object each : a.list(0)) {
                        if (!Arguments.empty(each)) {
                            list.add(each);
                        }
                    }
                    return list;
                });
        both(
                table,
                "slice",
                a -> {
                    List<?> list = a.list(0);
                    if (list.isEmpty()) {
                        return null;
                    }
                    int from = a.size() > 1 ? (int) NumberFunctions.toLong(a.get(1)) : 0;
                    int to = a.size() > 2 ? (int) NumberFunctions.toLong(a.get(2)) : list.size();
                    if (from < 0 || to > list.size() || from > to) {
                        throw new GoPanic("reflect.Value.Slice: slice index out of bounds");
                    }
                    return dev.millrace.expressions.expr.value.GoFetch.slice(list, from, to);
                });
        both(table, "chunk", a -> chunk(a.integer(0), a.list(1)));
    }

    /**
     * Sprig has each of these with {@code must} in front, too, which fails where the plain one
     * panics: here it is the same.
     */
    private static void both(Map<String, SprigFunction> table, String name, SprigFunction body) {
        table.put(name, body);
        table.put("must" + Character.toUpperCase(name.charAt(0)) + name.substring(1), body);
    }

    private static @Nullable List<?> part(List<?> list, int from, int to) {
        // A nil list, as Go has it, is an empty one that prints as null.
        return list.isEmpty()
                ? GoList.nil("[]interface {}")
                : new ArrayList<>(list.subList(from, to));
    }

    private static List<?> append(Arguments a) {
        List<@Nullable Object> list = new ArrayList<>(a.list(0));
        list.add(a.get(1));
        return list;
    }

    private static boolean has(@Nullable Object needle, List<? extends @Nullable Object> list) {
        for (Object each : list) {
            if (GoOperators.deepEqual(needle, each)) {
                return true;
            }
        }
        return false;
    }

    private static GoList chunk(int size, List<?> list) {
        if (size < 1) {
            throw new GoPanic(
                    "chunk size must be at least 1, not " + size + " of " + GoType.name(list));
        }
        List<Object> chunks = new ArrayList<>();
        for (int from = 0; from < list.size(); from += size) {
            chunks.add(new ArrayList<>(list.subList(from, Math.min(list.size(), from + size))));
        }
        return GoList.of("[][]interface {}", chunks);
    }

    private static void bounded(int size) {
        if (size > MAX_ELEMENTS) {
            throw new GoPanic("memory budget exceeded");
        }
    }
}
