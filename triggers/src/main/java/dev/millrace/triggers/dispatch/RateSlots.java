package dev.millrace.triggers.dispatch;

import dev.millrace.schemas.sensor.RateLimit;
import java.time.Duration;
import java.time.Instant;

/**
 * A rate limit: slots evenly spaced, of which up to ten that passed unused may be made up for.
 *
 * @param lastMicros the slot taken last, in microseconds since 1970; 0 before the first
 */
record RateSlots(long lastMicros) {

    private static final int SLACK = 10;

    static final RateSlots UNUSED = new RateSlots(0);

    /** A slot that was taken, and what is left. */
    record Taken(Instant slot, RateSlots after) {}

    /** Takes the next slot; it may lie before {@code now}, then the attempt is due at once. */
    Taken take(RateLimit limit, Instant now) {
        long nowMicros = now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000;
        long interval = intervalMicros(limit);
        long slot;
        if (lastMicros == 0) {
            slot = nowMicros;
        } else if (nowMicros - lastMicros > (SLACK + 1) * interval) {
            slot = nowMicros - SLACK * interval;
        } else {
            slot = lastMicros + interval;
        }
        Instant at =
                Instant.ofEpochSecond(
                        Math.floorDiv(slot, 1_000_000L), Math.floorMod(slot, 1_000_000L) * 1_000L);
        return new Taken(at, new RateSlots(slot));
    }

    private static long intervalMicros(RateLimit limit) {
        int requests = limit.requestsPerUnit() == null ? 1 : Math.max(1, limit.requestsPerUnit());
        Duration unit =
                switch (limit.unit() == null ? "" : limit.unit()) {
                    case "Minute" -> Duration.ofMinutes(1);
                    case "Hour" -> Duration.ofHours(1);
                    default -> Duration.ofSeconds(1);
                };
        return Math.max(1, unit.toNanos() / 1_000 / requests);
    }
}
