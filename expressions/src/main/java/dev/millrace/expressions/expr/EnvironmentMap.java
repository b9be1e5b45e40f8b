package dev.millrace.expressions.expr;

import java.util.AbstractMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The variables as the map {@code $env}. They can be read by name; which there are is not known.
 */
final class EnvironmentMap extends AbstractMap<String, @Nullable Object> {

    private final Environment environment;

    EnvironmentMap(Environment environment) {
        this.environment = environment;
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        return key instanceof String name && environment.has(name);
    }

    @Override
    public @Nullable Object get(@Nullable Object key) {
        return key instanceof String name ? environment.get(name) : null;
    }

    @Override
    public Set<Entry<String, @Nullable Object>> entrySet() {
        throw new dev.millrace.expressions.expr.value.GoPanic("$env can only be read by name");
    }
}
