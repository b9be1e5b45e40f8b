package dev.millrace.log.stream;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Timers of entities, by due time, in the same store as their state: they are set and cancelled
 * with the turn that does it, and outlive any restart.
 */
public final class TimerQueue {

    /** A namespace cannot begin with it, so no entity's key does. */
    private static final String PREFIX = "~timer/";

    private static final EntryType<Timer> TIMER = EntryType.of("~timer", Timer.class);

    private final EntityStore store;

    /**
     * No timer is due earlier. Looking in the store walks over the tombstones of all timers that
     * fired since the last compaction, so it is done only when there is something to find, and from
     * here on.
     */
    private long earliestMillis = 0;

    public TimerQueue(EntityStore store) {
        this.store = store;
    }

    /** Sets a timer, in place of one with the same id. */
    public void set(String entity, String id, Instant due) {
        cancel(entity, id);
        Timer timer = new Timer(entity, id, Instant.ofEpochMilli(due.toEpochMilli()));
        store.put(entity, TIMER, id, timer);
        store.write(queueKey(timer), TIMER, timer);
        earliestMillis = Math.min(earliestMillis, timer.due().toEpochMilli());
    }

    /** Cancels a timer; nothing happens if there is none. */
    public void cancel(String entity, String id) {
        store.get(entity, TIMER, id)
                .ifPresent(
                        timer -> {
                            store.delete(entity, TIMER, id);
                            store.remove(queueKey(timer));
                        });
    }

    /** Cancels all timers of an entity. */
    public void cancelAll(String entity) {
        store.scan(entity, TIMER).keySet().forEach(id -> cancel(entity, id));
    }

    /** When a timer is due. */
    public Optional<Instant> due(String entity, String id) {
        return store.get(entity, TIMER, id).map(Timer::due);
    }

    /** Timers of an entity, by id. */
    public List<Timer> of(String entity) {
        return List.copyOf(store.scan(entity, TIMER).values());
    }

    /**
     * Timers that are due, the earliest first, at most so many. Between turns only; removes none.
     */
    public List<Timer> due(Instant now, int atMost) {
        long millis = now.toEpochMilli();
        if (earliestMillis > millis) {
            return List.of();
        }
        // Also what is not due yet: it tells when to look again.
        List<Timer> next =
                store.range(millisKey(earliestMillis), PREFIX + "~", TIMER, atMost).stream()
                        .map(entry -> entry.value)
                        .toList();
        earliestMillis = next.isEmpty() ? Long.MAX_VALUE : next.getFirst().due().toEpochMilli();
        return next.stream().filter(timer -> timer.due().toEpochMilli() <= millis).toList();
    }

    /**
     * No timer is due earlier, in milliseconds since the epoch; {@code Long.MAX_VALUE} for none.
     */
    long earliestMillis() {
        return earliestMillis;
    }

    private static String queueKey(Timer timer) {
        return millisKey(timer.due().toEpochMilli())
                + timer.entity()
                + EntityStore.END
                + timer.id();
    }

    /** Padded, so that text order is the order of time; till the year 33658. */
    private static String millisKey(long millis) {
        return PREFIX + "%015d/".formatted(Math.max(0, millis));
    }
}
