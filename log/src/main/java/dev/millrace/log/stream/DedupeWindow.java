package dev.millrace.log.stream;

import java.time.Duration;
import java.time.Instant;

/**
 * Remembers ids for a while, in the same store as the state that they protect: a repeat is told
 * from a first time also after a restart.
 */
public final class DedupeWindow {

    /** How long sensors and dispatchers remember; no writer repeats later than that. */
    public static final Duration DAY = Duration.ofHours(24);

    private static final String SEEN = "~seen/";
    private static final String QUEUE = "~seen-until/";

    /** An id and the scope it is unique in. */
    record Seen(String scope, String id, long untilMillis) {}

    private static final EntryType<Seen> TYPE = EntryType.of("~seen", Seen.class);

    private final EntityStore store;
    private final Duration kept;
    private long earliestMillis = 0;

    public DedupeWindow(EntityStore store, Duration kept) {
        this.store = store;
        this.kept = kept;
    }

    /** True the first time; the id is remembered from then on, not from its last repeat. */
    public boolean firstTime(String scope, String id, Instant now) {
        String key = SEEN + scope + EntityStore.END + id;
        Seen known = store.read(key, TYPE);
        if (known != null && known.untilMillis() > now.toEpochMilli()) {
            return false;
        }
        if (known != null) {
            store.remove(queueKey(known));
        }
        Seen seen = new Seen(scope, id, now.plus(kept).toEpochMilli());
        store.write(key, TYPE, seen);
        store.write(queueKey(seen), TYPE, seen);
        earliestMillis = Math.min(earliestMillis, seen.untilMillis());
        return true;
    }

    /**
     * Forgets what is old enough, at most so many, and flushes the store. Between turns only.
     *
     * @return how many were forgotten
     */
    public int expire(Instant now, int atMost) {
        if (earliestMillis > now.toEpochMilli()) {
            return 0;
        }
        int forgotten = 0;
        var oldest = store.range(QUEUE + padded(earliestMillis), QUEUE + "~", TYPE, atMost);
        earliestMillis = oldest.isEmpty() ? Long.MAX_VALUE : oldest.getFirst().value.untilMillis();
        for (var entry : oldest) {
            Seen seen = entry.value;
            if (seen.untilMillis() > now.toEpochMilli()) {
                break;
            }
            store.remove(entry.key);
            store.remove(SEEN + seen.scope() + EntityStore.END + seen.id());
            forgotten++;
        }
        store.flush();
        return forgotten;
    }

    /** Nothing is to be forgotten earlier, in milliseconds since the epoch. */
    long earliestMillis() {
        return earliestMillis;
    }

    private static String queueKey(Seen seen) {
        return QUEUE
                + padded(seen.untilMillis())
                + "/"
                + seen.scope()
                + EntityStore.END
                + seen.id();
    }

    private static String padded(long millis) {
        return "%015d".formatted(Math.max(0, millis));
    }
}
