package dev.millrace.expressions.sprig;

import dev.millrace.expressions.expr.value.GoList;
import dev.millrace.expressions.expr.value.GoPanic;
import dev.millrace.expressions.expr.value.GoType;
import dev.millrace.expressions.expr.value.Visits;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Maps. {@code set}, {@code unset} and {@code merge} give a changed copy; Sprig changes the map
 * itself and gives that.
 */
final class DictFunctions {

    private DictFunctions() {}

    static void addTo(Map<String, SprigFunction> table) {
        table.put("dict", DictFunctions::dict);
        table.put("get", a -> a.dict(0).containsKey(a.text(1)) ? a.dict(0).get(a.text(1)) : "");
        table.put(
                "set",
                a -> {
                    Map<String, @Nullable Object> copy = copy(a.dict(0));
                    copy.put(a.text(1), a.get(2));
                    return copy;
                });
        table.put(
                "unset",
                a -> {
                    Map<String, @Nullable Object> copy = copy(a.dict(0));
                    copy.remove(a.text(1));
                    return copy;
                });
        table.put("hasKey", a -> a.dict(0).containsKey(a.text(1)));
        table.put(
                "pluck",
                a -> {
                    List<@Nullable Object> found = new ArrayList<>();
                    for (int i = 1; i < a.size(); i++) {
                        if (a.dict(i).containsKey(a.text(0))) {
                            found.add(a.dict(i).get(a.text(0)));
                        }
                    }
                    return found;
                });
        table.put(
                "keys",
                a -> {
                    List<String> keys = new ArrayList<>();
                    for (int i = 0; i < a.size(); i++) {
                        a.dict(i).keySet().forEach(key -> keys.add(String.valueOf(key)));
                    }
                    return GoList.ofStrings(keys);
                });
        table.put("values", a -> new ArrayList<>(a.dict(0).values()));
        table.put(
                "pick",
                a -> {
                    Map<String, @Nullable Object> kept = new LinkedHashMap<>();
                    for (int i = 1; i < a.size(); i++) {
                        if (a.dict(0).containsKey(a.text(i))) {
                            kept.put(a.text(i), a.dict(0).get(a.text(i)));
                        }
                    }
                    return kept;
                });
        table.put(
                "omit",
                a -> {
                    Map<String, @Nullable Object> kept = copy(a.dict(0));
                    for (int i = 1; i < a.size(); i++) {
                        kept.remove(a.text(i));
                    }
                    return kept;
                });
        table.put("merge", a -> merge(a, false));
        table.put("mustMerge", a -> merge(a, false));
        table.put("mergeOverwrite", a -> merge(a, true));
        table.put("mustMergeOverwrite", a -> merge(a, true));
        table.put("dig", DictFunctions::dig);
    }

    private static Map<String, @Nullable Object> dict(Arguments a) {
        Map<String, @Nullable Object> dict = new LinkedHashMap<>();
        for (int i = 0; i < a.size(); i += 2) {
            dict.put(Arguments.shown(a.get(i)), i + 1 < a.size() ? a.get(i + 1) : "");
        }
        return dict;
    }

    private static Map<String, @Nullable Object> copy(Map<?, ?> map) {
        Map<String, @Nullable Object> copy = new LinkedHashMap<>();
        map.forEach((key, value) -> copy.put(String.valueOf(key), value));
        return copy;
    }

    private static Map<String, @Nullable Object> merge(Arguments a, boolean overwrite) {
        Map<String, @Nullable Object> merged = copy(a.dict(0));
        for (int i = 1; i < a.size(); i++) {
            merge(merged, a.dict(i), overwrite, new Visits());
        }
        return merged;
    }

    private static void merge(
            Map<String, @Nullable Object> into, Map<?, ?> from, boolean overwrite, Visits visits) {
        visits.enter();
        from.forEach(
                (key, value) -> {
                    String name = String.valueOf(key);
                    Object present = into.get(name);
                    if (present instanceof Map<?, ?> inner && value instanceof Map<?, ?> other) {
                        Map<String, @Nullable Object> merged = copy(inner);
                        merge(merged, other, overwrite, visits);
                        into.put(name, merged);
                    } else if (!into.containsKey(name)
                            || (overwrite ? !Arguments.empty(value) : Arguments.empty(present))) {
                        into.put(name, value);
                    }
                });
        visits.leave();
    }

    /**
     * {@code dig "a" "b" default dict}: the member of a member, or the default where one is
     * missing.
     */
    private static @Nullable Object dig(Arguments a) {
        if (a.size() < 3) {
            throw new GoPanic("dig needs at least three arguments");
        }
        Object current = a.dict(a.size() - 1);
        for (int i = 0; i < a.size() - 2; i++) {
            if (!(current instanceof Map<?, ?> map)) {
                throw new GoPanic(
                        "interface conversion: interface {} is "
                                + GoType.name(current)
                                + ", not map[string]interface {}");
            }
            if (!map.containsKey(a.text(i))) {
                return a.get(a.size() - 2);
            }
            current = map.get(a.text(i));
        }
        return current;
    }
}
