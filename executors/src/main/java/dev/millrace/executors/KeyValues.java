package dev.millrace.executors;

import dev.millrace.log.ConfigMaps;
import dev.millrace.log.Secrets;
import java.util.Map;
import java.util.Optional;

/** Looks up the data of Secrets or of ConfigMaps, when a step starts. */
@FunctionalInterface
public interface KeyValues {
    /**
     * All entries of an object as text.
     *
     * @return its entries; empty if there is no such object
     * @throws StepRefusedException if the store cannot list entries; the message says what to write
     *     instead
     */
    Optional<Map<String, String>> find(String namespace, String name) throws StepRefusedException;

    /** One entry; empty if there is no such object or key. */
    default Optional<String> value(String namespace, String name, String key)
            throws StepRefusedException {
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

    /** The secrets of a store that gives values by key only. */
    static KeyValues of(Secrets secrets) {
        return new KeyValues() {
            @Override
            public Optional<Map<String, String>> find(String namespace, String name)
                    throws StepRefusedException {
                throw new StepRefusedException(
                        "Secret %s: the secret store gives values by key only; name each key with env.valueFrom.secretKeyRef"
                                .formatted(name));
            }

            @Override
            public Optional<String> value(String namespace, String name, String key) {
                return secrets.value(namespace, name, key);
            }
        };
    }
}
