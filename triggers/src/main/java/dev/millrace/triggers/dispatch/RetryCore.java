package dev.millrace.triggers.dispatch;

import dev.millrace.log.serde.JsonSerde;
import dev.millrace.log.stream.EntityCore;
import dev.millrace.log.stream.EntryType;
import dev.millrace.log.stream.Input;
import dev.millrace.log.stream.Timer;
import dev.millrace.log.stream.Turn;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.TriggerRetry;
import dev.millrace.schemas.sensor.RateLimit;
import java.time.Instant;

/**
 * Holds attempts until they are due and, where the trigger has a rate limit, until its turn comes.
 * An entity is an activation, or a trigger with a rate limit.
 */
final class RetryCore implements EntityCore<TriggerRetry> {

    static final String RELEASED_SINK = "released";

    private static final JsonSerde<TriggerRetry> RETRIES = JsonSerde.of(TriggerRetry.class);
    private static final EntryType<TriggerRetry> HELD = EntryType.of("held", TriggerRetry.class);
    private static final EntryType<RateSlots> SLOTS = EntryType.of("slots", RateSlots.class);

    /** A timer for an attempt that has its slot already. */
    private static final String IN_SLOT = "slot/";

    private static final String DUE = "due/";

    @Override
    public void onInput(Input<TriggerRetry> input, Turn turn) {
        TriggerRetry retry = input.value();
        if (retry.released()) {
            // What this core wrote itself; it is for the dispatcher.
            return;
        }
        String id = retry.activation().id() + "/" + retry.attempt();
        if (!turn.seen().firstTime(input.entity(), id, turn.now())) {
            // A dispatcher that was killed made the same attempt again.
            return;
        }
        if (retry.due().isAfter(turn.now())) {
            turn.store().put(input.entity(), HELD, id, retry);
            turn.timers().set(input.entity(), DUE + id, retry.due());
        } else {
            due(input.entity(), id, retry, turn);
        }
    }

    @Override
    public void onTimer(Timer timer, Turn turn) {
        boolean inSlot = timer.id().startsWith(IN_SLOT);
        String id = timer.id().substring((inSlot ? IN_SLOT : DUE).length());
        TriggerRetry retry =
                turn.store()
                        .get(timer.entity(), HELD, id)
                        .orElseThrow(() -> new IllegalStateException("nothing is held as " + id));
        if (inSlot) {
            release(timer.entity(), id, retry, turn);
        } else {
            due(timer.entity(), id, retry, turn);
        }
    }

    @Override
    public void onFailure(String entity, String reference, RuntimeException cause, Turn turn) {
        // The attempt is a dead letter; others of the entity go on.
    }

    private static void due(String entity, String id, TriggerRetry retry, Turn turn) {
        if (!TriggerMachine.isLimited(retry.activation())) {
            release(entity, id, retry, turn);
            return;
        }
        RateLimit limit =
                Json.convert(
                        retry.activation().triggerManifest().path("rateLimit"), RateLimit.class);
        RateSlots slots = turn.store().get(entity, SLOTS, "").orElse(RateSlots.UNUSED);
        RateSlots.Taken taken = slots.take(limit, turn.now());
        turn.store().put(entity, SLOTS, "", taken.after());
        Instant slot = taken.slot();
        if (slot.isAfter(turn.now())) {
            turn.store().put(entity, HELD, id, retry);
            turn.timers().set(entity, IN_SLOT + id, slot);
        } else {
            release(entity, id, retry, turn);
        }
    }

    private static void release(String entity, String id, TriggerRetry retry, Turn turn) {
        turn.store().delete(entity, HELD, id);
        turn.emit(
                RELEASED_SINK,
                entity,
                RETRIES,
                new TriggerRetry(
                        retry.activation(), retry.attempt(), retry.due(), retry.failures(), true));
    }
}
