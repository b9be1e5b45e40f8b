package dev.millrace.workflowengine.core;

import java.util.AbstractMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Variables below a name that are worked out when one of them is asked for: a text about one step
 * does not look at all others.
 */
abstract class LateMap extends AbstractMap<String, @Nullable Object> {
    private @Nullable Map<String, @Nullable Object> whole;

    /** Whether it is there. */
    abstract boolean has(String name);

    /** What it is; null if it is not there. */
    abstract @Nullable Object value(String name);

    /** All names that may be there, in order. */
    abstract Iterable<String> names();

    @Override
    public boolean containsKey(@Nullable Object key) {
        return key instanceof String name && has(name);
    }

    @Override
    public @Nullable Object get(@Nullable Object key) {
        return key instanceof String name ? value(name) : null;
    }

    @Override
    public Set<Map.Entry<String, @Nullable Object>> entrySet() {
        Map<String, @Nullable Object> all = whole;
        if (all == null) {
            all = new LinkedHashMap<>();
            for (String name : names()) {
                if (has(name)) {
                    all.put(name, value(name));
                }
            }
            whole = all;
        }
        return all.entrySet();
    }

    /** A map with one more value, unless it has one of this name. */
    static LateMap with(
            Map<String, @Nullable Object> map, String more, Supplier<@Nullable Object> value) {
        return new LateMap() {
            @Override
            boolean has(String name) {
                return map.containsKey(name) || name.equals(more);
            }

            @Override
            @Nullable Object value(String name) {
                return name.equals(more) && !map.containsKey(name) ? value.get() : map.get(name);
            }

            @Override
            Iterable<String> names() {
                Set<String> names = new LinkedHashSet<>(map.keySet());
                names.add(more);
                return names;
            }
        };
    }

    /** Maps as one: of the same name the value of the last counts, but maps are merged. */
    static Map<String, @Nullable Object> merged(List<Map<String, @Nullable Object>> maps) {
        return maps.size() == 1 ? maps.getFirst() : new Merged(maps);
    }

    private static final class Merged extends LateMap {
        private final List<Map<String, @Nullable Object>> maps;

        Merged(List<Map<String, @Nullable Object>> maps) {
            this.maps = maps;
        }

        @Override
        boolean has(String name) {
            return maps.stream().anyMatch(m -> m.containsKey(name));
        }

        @Override
        @SuppressWarnings("unchecked") // Maps below a root have text keys: the layers make them so.
        @Nullable Object value(String name) {
            Object value = null;
            for (Map<String, @Nullable Object> map : maps) {
                if (!map.containsKey(name)) {
                    continue;
                }
                Object next = map.get(name);
                value =
                        next instanceof Map<?, ?> inner && value instanceof Map<?, ?> known
                                ? new Merged(
                                        List.of(
                                                (Map<String, @Nullable Object>) known,
                                                (Map<String, @Nullable Object>) inner))
                                : next;
            }
            return value;
        }

        @Override
        Iterable<String> names() {
            Set<String> names = new LinkedHashSet<>();
            maps.forEach(m -> names.addAll(m.keySet()));
            return names;
        }
    }
}
