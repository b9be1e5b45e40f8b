package dev.millrace.schemas.record;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A record of {@code decisions}: what became of an event at one sensor. Keyed by event id.
 *
 * @param outcome one of {@code matched}, {@code filtered}, {@code pending}, {@code fired}, {@code
 *     duplicate}, {@code dispatched}, {@code retried}, {@code failed}
 * @param reason which filter, which condition, which error; absent where there is nothing to say
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
        Instant at) {}
