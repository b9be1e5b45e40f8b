package dev.millrace.schemas.record;

import java.time.Instant;

/**
 * A record of {@code source-state}: how far a polling or ticking source got. Keyed by {@code
 * namespace/eventsource/event}.
 *
 * @param position the source's own position: a calendar's last tick (RFC 3339), a queue's offset …
 */
public record SourceState(
        String namespace, String eventSource, String event, String position, Instant at) {}
