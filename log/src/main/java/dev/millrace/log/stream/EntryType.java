package dev.millrace.log.stream;

import dev.millrace.log.serde.JsonSerde;

/**
 * A kind of entry under an entity, for instance the nodes of a workflow.
 *
 * @param name stands in the keys: it may never change
 * @param serde for the values, which are never changed once they are put
 */
public record EntryType<T>(String name, JsonSerde<T> serde) {

    public EntryType {
        if (name.indexOf('/') >= 0 || name.isEmpty()) {
            throw new IllegalArgumentException("not the name of an entry type: " + name);
        }
    }

    /** With the declared type, so that a sealed interface keeps its discriminator. */
    public static <T> EntryType<T> of(String name, Class<T> type) {
        return new EntryType<>(name, JsonSerde.of(type));
    }
}
