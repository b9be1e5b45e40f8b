package dev.millrace.executors;

import java.util.Map;
import java.util.Optional;

/** Looks up the data of a Secret or a ConfigMap. */
@FunctionalInterface
public interface KeyValues {
    /**
     * The entries of an object as text.
     *
     * @return its entries; empty if there is no such object
     */
    Optional<Map<String, String>> find(String namespace, String name);

    /** Knows nothing. */
    static KeyValues none() {
        return (_, _) -> Optional.empty();
    }
}
