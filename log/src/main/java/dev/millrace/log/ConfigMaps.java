package dev.millrace.log;

import java.util.Map;
import java.util.Optional;

/** Where config maps come from. */
public interface ConfigMaps {

    /**
     * The value of one key, with one trailing newline taken off, as for secrets.
     *
     * @return empty if there is no such config map or key
     */
    default Optional<String> value(String namespace, String name, String key) {
        return data(namespace, name).map(data -> data.get(key)).map(TrailingNewline::trim);
    }

    /** All keys and values as they were written; empty if there is no such config map. */
    Optional<Map<String, String>> data(String namespace, String name);
}
