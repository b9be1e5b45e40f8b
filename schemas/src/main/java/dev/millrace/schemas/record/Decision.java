package dev.millrace.schemas.record;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A record of {@code decisions}: what became of an event at one sensor. Keyed by event id.
 *
 * @param outcome one of {@code matched}, {@code filtered}, {@code pending}, {@code fired}, {@code
 *     duplicate}, {@code dispatched}, {@code retried}, {@code failed}, {@code asked}
 * @param reason which filter, which condition, which error; absent where there is nothing to say
 * @param kind of the object that {@code sensor} names; absent for a Sensor
 */
public record Decision(
        String eventId,
        String namespace,
        String sensor,
        @Nullable String dependency,
        @Nullable String trigger,
        String outcome,
        @Nullable String reason,
        @Nullable String activationId,
        long manifestVersion,
        Instant at,
        @Nullable String kind) {

    /** One about a Sensor. */
    public Decision(
            String eventId,
            String namespace,
            String sensor,
            @Nullable String dependency,
            @Nullable String trigger,
            String outcome,
            @Nullable String reason,
            @Nullable String activationId,
            long manifestVersion,
            Instant at) {
        this(
                eventId,
                namespace,
                sensor,
                dependency,
                trigger,
                outcome,
                reason,
                activationId,
                manifestVersion,
                at,
                null);
    }
}
