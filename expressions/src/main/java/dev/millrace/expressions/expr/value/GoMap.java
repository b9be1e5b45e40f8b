package dev.millrace.expressions.expr.value;

import java.util.AbstractMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An unmodifiable map with other types than {@code map[string]interface {}}, which is a plain
 * {@link Map}.
 */
public final class GoMap extends AbstractMap<@Nullable Object, @Nullable Object> {

    private final String type;
    private final boolean stringKeys;
    private final @Nullable Object zero;
    private final Map<@Nullable Object, @Nullable Object> entries;

    private GoMap(
            String type,
            boolean stringKeys,
            @Nullable Object zero,
            Map<@Nullable Object, @Nullable Object> entries) {
        this.type = type;
        this.stringKeys = stringKeys;
        this.zero = zero;
        this.entries = entries;
    }

    /** {@code map[string]string}. */
    public static GoMap ofStrings(Map<@Nullable Object, @Nullable Object> entries) {
        return new GoMap("map[string]string", true, "", entries);
    }

    /** {@code map[interface {}][]interface {}}, the result of grouping. */
    public static GoMap ofGroups(Map<@Nullable Object, @Nullable Object> entries) {
        return new GoMap(
                "map[interface {}][]interface {}", false, GoList.nil("[]interface {}"), entries);
    }

    public String type() {
        return type;
    }

    public boolean hasStringKeys() {
        return stringKeys;
    }

    /** What reading a missing key gives. */
    public @Nullable Object zero() {
        return zero;
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        return entries.containsKey(key);
    }

    @Override
    public @Nullable Object get(@Nullable Object key) {
        return entries.get(key);
    }

    @Override
    public Set<Entry<@Nullable Object, @Nullable Object>> entrySet() {
        return entries.entrySet();
    }
}
