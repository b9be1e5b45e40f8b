package dev.millrace.executors;

import dev.millrace.log.ConfigMaps;
import dev.millrace.log.secrets.SecretStore;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Looks up the data of Secrets or of ConfigMaps, when a step starts. */
@FunctionalInterface
public interface KeyValues {
    /**
     * All entries of an object as text.
     *
     * @return its entries; empty if there is no such object
     */
    Optional<Map<String, String>> find(String namespace, String name);

    /** One entry; empty if there is no such object or key. */
    default Optional<String> value(String namespace, String name, String key) {
        return find(namespace, name).map(entries -> entries.get(key));
    }

    /** Knows nothing. */
    static KeyValues none() {
        return (_, _) -> Optional.empty();
    }

    /** The config maps of the log. */
    static KeyValues of(ConfigMaps configMaps) {
        return configMaps::data;
    }

    /** The secrets of a store. */
    static KeyValues of(SecretStore secrets) {
        return new KeyValues() {
            @Override
            public Optional<Map<String, String>> find(String namespace, String name) {
                return secrets.keys(namespace, name)
                        .map(
                                keys -> {
                                    Map<String, String> entries = new TreeMap<>();
                                    keys.forEach(
                                            key ->
                                                    secrets.value(namespace, name, key)
                                                            .ifPresent(v -> entries.put(key, v)));
                                    return entries;
                                });
            }

            @Override
            public Optional<String> value(String namespace, String name, String key) {
                return secrets.value(namespace, name, key);
            }
        };
    }
}
