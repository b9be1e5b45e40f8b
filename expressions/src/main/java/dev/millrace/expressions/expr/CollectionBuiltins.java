package dev.millrace.expressions.expr;

import dev.millrace.expressions.expr.Builtins.Signature;
import dev.millrace.expressions.expr.value.GoFetch;
import dev.millrace.expressions.expr.value.GoFunction;
import dev.millrace.expressions.expr.value.GoInteger;
import dev.millrace.expressions.expr.value.GoList;
import dev.millrace.expressions.expr.value.GoObject;
import dev.millrace.expressions.expr.value.GoOperators;
import dev.millrace.expressions.expr.value.GoPanic;
import dev.millrace.expressions.expr.value.GoPrint;
import dev.millrace.expressions.expr.value.GoType;
import dev.millrace.expressions.expr.value.Visits;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Built-in functions over lists and maps that take no predicate. */
final class CollectionBuiltins {

    private CollectionBuiltins() {}

    static void addTo(Map<String, Signature> table) {
        table.put("len", new Signature("c", 1, 1, StaticType.INTEGER, a -> length(a.get(0))));
        table.put("type", new Signature("x", 1, 1, StaticType.STRING, a -> type(a.get(0))));
        table.put(
                "first",
                new Signature("x", 1, 1, StaticType.UNKNOWN, a -> GoFetch.tryFetch(a.get(0), 0L)));
        table.put(
                "last",
                new Signature("x", 1, 1, StaticType.UNKNOWN, a -> GoFetch.tryFetch(a.get(0), -1L)));
        table.put(
                "get",
                new Signature(
                        "xx", 2, 2, StaticType.UNKNOWN, a -> GoFetch.tryFetch(a.get(0), a.get(1))));
        table.put("take", new Signature("li", 2, 2, StaticType.LIST, CollectionBuiltins::take));
        table.put(
                "keys",
                new Signature(
                        "m", 1, 1, StaticType.LIST, a -> new ArrayList<>(map("keys", a).keySet())));
        table.put(
                "values",
                new Signature(
                        "m",
                        1,
                        1,
                        StaticType.LIST,
                        a -> new ArrayList<>(map("values", a).values())));
        table.put(
                "toPairs", new Signature("m", 1, 1, StaticType.LIST, CollectionBuiltins::toPairs));
        table.put(
                "fromPairs",
                new Signature("l", 1, 1, StaticType.MAP, CollectionBuiltins::fromPairs));
        table.put(
                "reverse",
                new Signature(
                        "l",
                        1,
                        1,
                        StaticType.LIST,
                        a -> {
                            List<@Nullable Object> copy =
                                    new ArrayList<>(list("reverse", a.get(0)));
                            Collections.reverse(copy);
                            return copy;
                        }));
        table.put("uniq", new Signature("l", 1, 1, StaticType.LIST, CollectionBuiltins::uniq));
        table.put("concat", new Signature("l", 1, -1, StaticType.LIST, CollectionBuiltins::concat));
        table.put(
                "flatten",
                new Signature(
                        "l",
                        1,
                        1,
                        StaticType.LIST,
                        a -> {
                            List<@Nullable Object> flat = new ArrayList<>();
                            flatten(list("flatten", a.get(0)), flat, new Visits());
                            return flat;
                        }));
        table.put("sort", new Signature("ls", 1, 2, StaticType.LIST, CollectionBuiltins::sort));
    }

    static Long length(@Nullable Object value) {
        return switch (value) {
            case String text -> (long) text.codePointCount(0, text.length());
            case List<?> list -> (long) list.size();
            case Map<?, ?> map -> (long) map.size();
            case null, default ->
                    throw new GoPanic("invalid argument for len (type " + GoType.name(value) + ")");
        };
    }

    private static String type(@Nullable Object value) {
        return switch (value) {
            case null -> "nil";
            case Boolean b -> "bool";
            case Long l -> "int";
            case Integer i -> "int";
            case GoInteger i ->
                    i.type().startsWith("time.")
                            ? i.type()
                            : i.type().startsWith("u") ? "uint" : "int";
            case Double d -> "float";
            case String s -> "string";
            case List<?> l -> "array";
            case Map<?, ?> m -> "map";
            case ZonedDateTime t -> "time.Time";
            case Duration d -> "time.Duration";
            case GoFunction f -> "func";
            case GoObject o -> o.goType();
            default -> "unknown";
        };
    }

    /** What is wrong with an argument that is no list or map. */
    static String refusal(String function, String type) {
        return switch (function) {
            case "keys", "values" -> "cannot get " + function + " from " + type;
            case "toPairs" -> "cannot transform " + type + " to pairs";
            case "fromPairs" -> "cannot transform " + type + " from pairs";
            case "take" -> "cannot take from " + type;
            default -> "cannot " + function + " " + type;
        };
    }

    static List<?> list(String name, @Nullable Object value) {
        if (value instanceof List<?> list) {
            return list;
        }
        throw new GoPanic(refusal(name, GoType.name(value)));
    }

    private static Map<?, ?> map(String name, List<? extends @Nullable Object> arguments) {
        if (arguments.get(0) instanceof Map<?, ?> map) {
            return map;
        }
        throw new GoPanic(refusal(name, GoType.name(arguments.get(0))));
    }

    private static List<?> take(List<? extends @Nullable Object> a) {
        List<?> list = list("take", a.get(0));
        if (!GoType.isNumber(a.get(1))) {
            throw new GoPanic("cannot take " + GoType.name(a.get(1)) + " elements");
        }
        int count = TextBuiltins.count(a, 1);
        if (count < 0) {
            throw new GoPanic("cannot take " + count + " elements");
        }
        return GoFetch.slice(list, 0, Math.min(count, list.size()));
    }

    private static GoList toPairs(List<? extends @Nullable Object> a) {
        List<@Nullable Object> pairs = new ArrayList<>();
        map("toPairs", a)
                .forEach(
                        (key, value) -> {
                            List<@Nullable Object> pair = new ArrayList<>(2);
                            pair.add(key);
                            pair.add(value);
                            pairs.add(GoList.of("[2]interface {}", pair));
                        });
        return GoList.of("[][2]interface {}", pairs);
    }

    private static Map<String, @Nullable Object> fromPairs(List<? extends @Nullable Object> a) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        for (Object each : list("fromPairs", a.get(0))) {
            if (!(each instanceof List<?> pair) || pair.size() != 2) {
                throw new GoPanic("invalid pair " + GoType.name(each));
            }
            map.put(TextBuiltins.text(pair, 0), pair.get(1));
        }
        return map;
    }

    private static List<?> uniq(List<? extends @Nullable Object> a) {
        List<?> list = list("uniq", a.get(0));
        List<@Nullable Object> kept = new ArrayList<>();
        for (Object each : list) {
            boolean known = false;
            for (Object other : kept) {
                if (GoOperators.equal(each, other)) {
                    known = true;
                    break;
                }
            }
            if (!known) {
                kept.add(each);
            }
        }
        return kept;
    }

    private static List<?> concat(List<? extends @Nullable Object> a) {
        List<@Nullable Object> all = new ArrayList<>();
        for (Object each : a) {
            all.addAll(list("concat", each));
            if (all.size() > Frame.MEMORY_BUDGET) {
                throw new GoPanic("memory budget exceeded");
            }
        }
        return all.isEmpty() ? GoList.nil("[]interface {}") : all;
    }

    private static void flatten(List<?> list, List<@Nullable Object> into, Visits visits) {
        visits.enter();
        for (Object each : list) {
            if (each instanceof List<?> inner) {
                flatten(inner, into, visits);
            } else {
                into.add(each);
            }
            if (into.size() > Frame.MEMORY_BUDGET) {
                throw new GoPanic("memory budget exceeded");
            }
        }
        visits.leave();
    }

    private static List<?> sort(List<? extends @Nullable Object> a) {
        boolean descending = a.size() > 1 && descending(a.get(1));
        if (!(a.get(0) instanceof List<?> list)) {
            return GoList.nil("[]interface {}");
        }
        return sorted(list, list, descending);
    }

    static boolean descending(@Nullable Object order) {
        if ("asc".equals(order) || "desc".equals(order)) {
            return "desc".equals(order);
        }
        throw new GoPanic("invalid order " + GoPrint.print(order) + ", expected asc or desc");
    }

    /** The elements in the order of their keys; equal keys keep their order. */
    static List<?> sorted(List<?> elements, List<?> keys, boolean descending) {
        List<Integer> order = new ArrayList<>(elements.size());
        for (int i = 0; i < elements.size(); i++) {
            order.add(i);
        }
        order.sort((x, y) -> compare(keys.get(x), keys.get(y), descending));
        List<@Nullable Object> sorted = new ArrayList<>(elements.size());
        for (int index : order) {
            sorted.add(elements.get(index));
        }
        return sorted;
    }

    private static int compare(@Nullable Object x, @Nullable Object y, boolean descending) {
        if (x instanceof Boolean || (x == null && y == null)) {
            // Bools and nils have no order; the language leaves them where they are.
            return 0;
        }
        boolean before = GoOperators.less(x, y, descending ? ">" : "<");
        if (before) {
            return -1;
        }
        return GoOperators.less(x, y, descending ? "<" : ">") ? 1 : 0;
    }
}
