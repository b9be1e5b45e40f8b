package dev.millrace.expressions.tag;

import dev.millrace.expressions.expr.Environment;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A scope over a flat map of names. */
final class FlatScope implements Scope {

    private static final Lookup MISSING = new Lookup.Missing();

    private final Map<String, String> flat;
    private volatile @Nullable Environment environment;

    FlatScope(Map<String, String> flat) {
        this.flat = Map.copyOf(flat);
    }

    @Override
    public Lookup lookup(String name) {
        String value = flat.get(name);
        return value == null ? MISSING : new Lookup.Value(value);
    }

    @Override
    public Environment environment() {
        Environment known = environment;
        if (known == null) {
            known = Environment.of(nested(flat));
            environment = known;
        }
        return known;
    }

    /**
     * {@code a.b.c=x} becomes {@code {a:{b:{c:x}}}}; where a name is both a value and a prefix, the
     * prefix wins.
     */
    static Map<String, Object> nested(Map<String, String> flat) {
        Map<String, Object> root = new HashMap<>();
        // In order of names a value comes before the longer names it is a prefix of, so the longer
        // ones replace it.
        new TreeMap<>(flat).forEach((name, value) -> put(root, name, value));
        return root;
    }

    private static void put(Map<String, Object> root, String name, String value) {
        Map<String, Object> at = root;
        int from = 0;
        for (int dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', from)) {
            at = child(at, name.substring(from, dot));
            from = dot + 1;
        }
        at.putIfAbsent(name.substring(from), value);
    }

    @SuppressWarnings("unchecked") // Every map below the root was made here.
    private static Map<String, Object> child(Map<String, Object> parent, String key) {
        if (parent.get(key) instanceof Map<?, ?> known) {
            return (Map<String, Object>) known;
        }
        Map<String, Object> made = new HashMap<>();
        parent.put(key, made);
        return made;
    }
}
