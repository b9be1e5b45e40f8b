package dev.millrace.expressions.expr;

import dev.millrace.expressions.expr.value.GoFetch;
import dev.millrace.expressions.expr.value.GoMap;
import dev.millrace.expressions.expr.value.GoOperators;
import dev.millrace.expressions.expr.value.GoPanic;
import dev.millrace.expressions.expr.value.GoType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The built-in functions that run a predicate over a list.
 *
 * @param slot of the element; the index and the accumulator are in the next two
 * @param predicate null where the call leaves it out
 * @param last the argument after the predicate; null where the call leaves it out
 */
record Loop(int slot, Step collection, @Nullable Step predicate, @Nullable Step last) {

    Step of(String name) {
        return switch (name) {
            case "all" -> frame -> first(frame, false, false) < 0;
            case "none" -> frame -> first(frame, true, false) < 0;
            case "any" -> frame -> first(frame, true, false) >= 0;
            case "one" -> frame -> count(frame) == 1;
            case "count" -> frame -> count(frame);
            case "filter" -> this::filter;
            case "map" -> this::map;
            case "find" -> frame -> found(frame, false);
            case "findLast" -> frame -> found(frame, true);
            case "findIndex" -> frame -> position(first(frame, true, false));
            case "findLastIndex" -> frame -> position(first(frame, true, true));
            case "groupBy" -> this::groupBy;
            case "sortBy" -> this::sortBy;
            case "sum" -> this::sum;
            case "reduce" -> this::reduce;
            default -> throw new IllegalArgumentException("no loop of this name: " + name);
        };
    }

    private @Nullable Object apply(Frame frame, List<?> elements, int index) {
        Object element = elements.get(index);
        if (predicate == null) {
            return element;
        }
        frame.slots[slot] = element;
        frame.slots[slot + 1] = (long) index;
        return predicate.run(frame);
    }

    private List<?> elements(Frame frame) {
        return GoFetch.elements(collection.run(frame));
    }

    /**
     * The index of the first (or last) element for which the predicate is as wanted; -1 if there is
     * none.
     */
    private int first(Frame frame, boolean wanted, boolean fromEnd) {
        return first(frame, elements(frame), wanted, fromEnd);
    }

    private int first(Frame frame, List<?> elements, boolean wanted, boolean fromEnd) {
        for (int i = 0; i < elements.size(); i++) {
            int index = fromEnd ? elements.size() - 1 - i : i;
            if (Assembler.bool(apply(frame, elements, index)) == wanted) {
                return index;
            }
        }
        return -1;
    }

    private @Nullable Object found(Frame frame, boolean fromEnd) {
        List<?> elements = elements(frame);
        int index = first(frame, elements, true, fromEnd);
        return index < 0 ? null : elements.get(index);
    }

    private static @Nullable Object position(int index) {
        return index < 0 ? null : (Object) (long) index;
    }

    private long count(Frame frame) {
        List<?> elements = elements(frame);
        long count = 0;
        for (int i = 0; i < elements.size(); i++) {
            if (Assembler.bool(apply(frame, elements, i))) {
                count++;
            }
        }
        return count;
    }

    private List<?> filter(Frame frame) {
        List<?> elements = elements(frame);
        List<@Nullable Object> kept = new ArrayList<>();
        for (int i = 0; i < elements.size(); i++) {
            if (Assembler.bool(apply(frame, elements, i))) {
                frame.allocate(1);
                kept.add(elements.get(i));
            }
        }
        return kept;
    }

    private List<?> map(Frame frame) {
        List<?> elements = elements(frame);
        frame.allocate(elements.size());
        List<@Nullable Object> mapped = new ArrayList<>(elements.size());
        for (int i = 0; i < elements.size(); i++) {
            mapped.add(apply(frame, elements, i));
        }
        return mapped;
    }

    private Map<?, ?> groupBy(Frame frame) {
        List<?> elements = elements(frame);
        frame.allocate(elements.size());
        Map<@Nullable Object, @Nullable Object> groups = new LinkedHashMap<>();
        Map<@Nullable Object, List<@Nullable Object>> lists = new LinkedHashMap<>();
        for (int i = 0; i < elements.size(); i++) {
            Object key = apply(frame, elements, i);
            if (key instanceof Map || key instanceof List) {
                throw new GoPanic("hash of unhashable type: " + GoType.name(key));
            }
            lists.computeIfAbsent(key, unused -> new ArrayList<>()).add(elements.get(i));
        }
        groups.putAll(lists);
        return GoMap.ofGroups(groups);
    }

    private List<?> sortBy(Frame frame) {
        List<?> elements = elements(frame);
        frame.allocate(elements.size());
        List<@Nullable Object> keys = new ArrayList<>(elements.size());
        for (int i = 0; i < elements.size(); i++) {
            keys.add(apply(frame, elements, i));
        }
        boolean descending = last != null && CollectionBuiltins.descending(last.run(frame));
        return CollectionBuiltins.sorted(elements, keys, descending);
    }

    private Object sum(Frame frame) {
        List<?> elements = elements(frame);
        Object sum = 0L;
        for (int i = 0; i < elements.size(); i++) {
            sum = GoOperators.add(sum, apply(frame, elements, i));
        }
        return sum;
    }

    private @Nullable Object reduce(Frame frame) {
        List<?> elements = elements(frame);
        Step body = Objects.requireNonNull(predicate);
        int from = 0;
        Object accumulator;
        if (last != null) {
            accumulator = last.run(frame);
        } else {
            if (elements.isEmpty()) {
                throw new GoPanic("reduce of empty array with no initial value");
            }
            accumulator = elements.getFirst();
            from = 1;
        }
        for (int i = from; i < elements.size(); i++) {
            frame.slots[slot] = elements.get(i);
            frame.slots[slot + 1] = (long) i;
            frame.slots[slot + 2] = accumulator;
            accumulator = body.run(frame);
        }
        return accumulator;
    }
}
