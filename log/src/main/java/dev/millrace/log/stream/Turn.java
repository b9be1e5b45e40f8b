package dev.millrace.log.stream;

import dev.millrace.log.serde.JsonSerde;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One input of one entity: what a core may touch while it lasts. All of it, state, timers and
 * output, happens in one transaction, or nothing does if the core throws.
 */
public interface Turn {

    /** The time of this turn: never less than that of the entity's last one. */
    Instant now();

    EntityStore store();

    TimerQueue timers();

    DedupeWindow seen();

    /**
     * Writes a record at the end of the turn.
     *
     * @param sink name of a sink below the processor; all sinks take bytes ({@code
     *     ByteArraySerializer}), since only of bytes the size is known in time
     * @throws IllegalArgumentException if it is too large for the log: an error of the core, since
     *     a transaction cannot go on after it
     */
    <T> void emit(String sink, String key, JsonSerde<T> serde, T value);

    /**
     * As {@link #emit(String, String, JsonSerde, Object)}, of bytes.
     *
     * @param value null is a tombstone
     */
    void emit(String sink, String key, byte @Nullable [] value);

    /**
     * The entity is gone, and the time of its last turn with it. The core deletes its entries
     * itself, in portions if they are many.
     */
    void forget();
}
