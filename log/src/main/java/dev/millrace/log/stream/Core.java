package dev.millrace.log.stream;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A pure core with one value as its state. */
public interface Core<S, I, E> {

    /**
     * What happens. No clock, no chance, no I/O.
     *
     * @param state null for an entity that is not there
     */
    List<E> decide(@Nullable S state, I input, Instant now);

    /** The state after an event; null if the entity is gone. */
    @Nullable S evolve(@Nullable S state, E event);
}
