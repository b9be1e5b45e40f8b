package dev.millrace.expressions.expr;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The variables that a program reads by name. Values may be null: a name that is there with null is
 * nil.
 */
public interface Environment {

    /** Whether the name is known, be its value null or not. */
    boolean has(String name);

    /** The value of the name; null when the value is nil or the name is not known. */
    @Nullable Object get(String name);

    /** A view of the map; later changes of the map show. */
    static Environment of(Map<String, ? extends @Nullable Object> variables) {
        return new Environment() {
            @Override
            public boolean has(String name) {
                return variables.containsKey(name);
            }

            @Override
            public @Nullable Object get(String name) {
                return variables.get(name);
            }
        };
    }
}
