package dev.millrace.eventsources;

import dev.millrace.eventsources.webhook.Seniority;
import dev.millrace.log.ManifestKey;
import dev.millrace.schemas.eventsource.EventSourceSpec;
import dev.millrace.schemas.eventsource.EventSourceType;
import dev.millrace.schemas.record.StatusRecord;
import dev.millrace.schemas.record.StatusRecord.Condition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;

/**
 * One EventSource at work: its entries, and what is to be said about its manifest. Used by one
 * thread.
 */
final class RunningSource {

    /** So long an entry that is replaced goes on while its successor finds its feet. */
    private static final Duration OVERLAP = Duration.ofSeconds(2);

    private record Running(
            EventSourceSpec.Entry config, Seniority seniority, SupervisedEntry entry) {}

    /** Makes an entry, not yet started. */
    interface Starter extends BiFunction<EventSourceSpec.Entry, Seniority, SupervisedEntry> {}

    private final ManifestKey key;
    private final Map<String, Running> running = new LinkedHashMap<>();
    private List<Condition> conditions = List.of();
    private long version;

    RunningSource(ManifestKey key) {
        this.key = key;
    }

    /**
     * Starts, replaces and stops what differs from the entries given; the rest goes on untouched.
     *
     * @return entries that are gone for good
     */
    List<EntryKey> update(
            long newVersion,
            List<Condition> newConditions,
            List<EventSourceSpec.Entry> entries,
            Instant created,
            Starter starter)
            throws InterruptedException {
        version = newVersion;
        conditions = newConditions;
        Set<String> names = new HashSet<>();
        entries.forEach(entry -> names.add(entry.name()));
        List<EntryKey> gone = new ArrayList<>();
        for (String name : List.copyOf(running.keySet())) {
            if (!names.contains(name)) {
                stop(name);
                gone.add(entryKey(name));
            }
        }
        for (EventSourceSpec.Entry entry : entries) {
            Running before = running.get(entry.name());
            if (before == null) {
                start(entry, new Seniority(created, newVersion), starter);
            } else if (!before.config().equals(entry)) {
                replace(before, entry, starter);
            }
        }
        return gone;
    }

    /** Stops all entries; they are told apart from those that are gone for good by the caller. */
    List<EntryKey> stopAll() {
        List<EntryKey> stopped = running.keySet().stream().map(this::entryKey).toList();
        List.copyOf(running.keySet()).forEach(this::stop);
        return stopped;
    }

    /** The record of {@code status}. */
    StatusRecord status(Instant now) {
        Map<String, StatusRecord.Entry> entries = new TreeMap<>();
        running.forEach(
                (name, r) -> {
                    EntryStatus status = r.entry().status();
                    entries.put(
                            name,
                            new StatusRecord.Entry(
                                    status.state().toString(), status.message(), status.since()));
                });
        return new StatusRecord(
                key.kind(), key.namespace(), key.name(), version, conditions, entries, now);
    }

    private void start(EventSourceSpec.Entry entry, Seniority seniority, Starter starter) {
        SupervisedEntry supervised = starter.apply(entry, seniority);
        running.put(entry.name(), new Running(entry, seniority, supervised));
        supervised.start();
    }

    /**
     * A webhook's successor takes the endpoint over before the old one goes: no request is lost.
     */
    private void replace(Running before, EventSourceSpec.Entry entry, Starter starter)
            throws InterruptedException {
        boolean overlaps =
                before.config().type() == EventSourceType.WEBHOOK
                        && entry.type() == EventSourceType.WEBHOOK;
        if (!overlaps) {
            before.entry().stop();
        }
        start(entry, before.seniority(), starter);
        if (overlaps) {
            Running after = running.get(entry.name());
            if (after != null) {
                after.entry().awaitSettled(OVERLAP);
            }
            before.entry().stop();
        }
    }

    private void stop(String name) {
        Running gone = running.remove(name);
        if (gone != null) {
            gone.entry().stop();
        }
    }

    private EntryKey entryKey(String name) {
        return new EntryKey(key.namespace(), key.name(), name);
    }
}
