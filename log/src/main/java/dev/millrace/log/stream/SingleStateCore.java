package dev.millrace.log.stream;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Puts a {@link Core} on {@link CoreProcessor}: its state is one entry, its events become effects.
 */
public final class SingleStateCore<S, I, E> implements EntityCore<I> {

    /** What the shell does around a core. */
    public interface Shell<S, I, E> {

        /** Effects of an event: records, timers. */
        void effect(String entity, E event, Turn turn);

        /** A timer as an input; empty to ignore it. */
        Optional<I> input(Timer timer);

        /** Events that end an entity whose core threw. */
        List<E> failed(@Nullable S state, String reference, RuntimeException cause);
    }

    private final Core<S, I, E> core;
    private final EntryType<S> type;
    private final Shell<S, I, E> shell;

    public SingleStateCore(Core<S, I, E> core, EntryType<S> type, Shell<S, I, E> shell) {
        this.core = core;
        this.type = type;
        this.shell = shell;
    }

    @Override
    public void onInput(Input<I> input, Turn turn) {
        step(input.entity(), input.value(), turn);
    }

    @Override
    public void onTimer(Timer timer, Turn turn) {
        shell.input(timer).ifPresent(input -> step(timer.entity(), input, turn));
    }

    @Override
    public void onFailure(String entity, String reference, RuntimeException cause, Turn turn) {
        S state = turn.store().get(entity, type, "").orElse(null);
        apply(entity, state, shell.failed(state, reference, cause), turn);
    }

    private void step(String entity, I input, Turn turn) {
        S state = turn.store().get(entity, type, "").orElse(null);
        apply(entity, state, core.decide(state, input, turn.now()), turn);
    }

    private void apply(String entity, @Nullable S before, List<E> events, Turn turn) {
        S state = before;
        for (E event : events) {
            state = core.evolve(state, event);
            shell.effect(entity, event, turn);
        }
        if (state == null) {
            turn.store().delete(entity, type, "");
            turn.forget();
        } else if (!events.isEmpty()) {
            turn.store().put(entity, type, "", state);
        }
    }
}
