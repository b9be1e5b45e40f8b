package dev.millrace.eventsources;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** Counters of the event sources, by entry. */
public final class EventSourceMetrics {

    private final MeterRegistry registry;

    public EventSourceMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    /**
     * The counters of one entry, all there from the start with 0.
     *
     * @param received what came from outside and could be read
     * @param published what the log has
     * @param filtered what {@code filter.expression} dropped
     * @param failed what the sender was told has failed, by its own fault or ours
     */
    public record EntryCounters(
            Counter received, Counter published, Counter filtered, Counter failed) {}

    /** The counters of an entry; the same ones when it is asked again. */
    public EntryCounters of(EntryKey key) {
        return new EntryCounters(
                counter("received", key),
                counter("published", key),
                counter("filtered", key),
                counter("failed", key));
    }

    private Counter counter(String what, EntryKey key) {
        return Counter.builder("millrace.eventsource.events." + what)
                .tag("namespace", key.namespace())
                .tag("eventsource", key.eventSource())
                .tag("event", key.event())
                .register(registry);
    }
}
