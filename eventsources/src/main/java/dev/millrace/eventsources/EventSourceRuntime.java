package dev.millrace.eventsources;

import dev.millrace.eventsources.state.SourceStateOwnership;
import dev.millrace.eventsources.webhook.WebhookDispatcher;
import dev.millrace.eventsources.webhook.WebhookListeners;
import dev.millrace.log.ManifestKey;
import dev.millrace.log.plain.ManifestLog;
import dev.millrace.schemas.manifest.Kind;
import dev.millrace.schemas.record.StatusRecord;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the EventSources that the manifests describe, and follows their changes: only entries that
 * changed are begun anew. Subscribe it to the {@link ManifestLog}.
 */
public final class EventSourceRuntime implements ManifestLog.Listener, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(EventSourceRuntime.class);
    private static final String KIND = Kind.EVENT_SOURCE.yamlName();

    private final EventSourcePorts ports;
    private final WebhookDispatcher dispatcher = new WebhookDispatcher();
    private final WebhookListeners listeners;
    private final SourceStateOwnership ownership;
    private final EntryFactory entries;
    // One thread changes everything, so changes keep their order and need no locks.
    private final ExecutorService changes =
            Executors.newSingleThreadExecutor(Thread.ofPlatform().name("eventsources").factory());
    private final Map<ManifestKey, RunningSource> sources = new HashMap<>();
    private final Set<ManifestKey> unpublished = ConcurrentHashMap.newKeySet();
    private final Map<ManifestKey, StatusRecord> statuses = new ConcurrentHashMap<>();

    private EventSourceRuntime(EventSourcePorts ports) {
        this.ports = ports;
        this.listeners = new WebhookListeners(ports.webhookHost(), dispatcher);
        this.ownership = SourceStateOwnership.start(ports.log());
        this.entries = new EntryFactory(ports, listeners, dispatcher, ownership);
    }

    /** Starts with no sources; they come through {@link #changed}. */
    public static EventSourceRuntime start(EventSourcePorts ports) {
        return new EventSourceRuntime(ports);
    }

    /** What a server mounts under {@code /webhooks/{namespace}/{eventsource}/{event}}. */
    public WebhookDispatcher webhooks() {
        return dispatcher;
    }

    /** How the sources of this process are doing, by manifest; the same as in {@code status}. */
    public Map<ManifestKey, StatusRecord> statuses() {
        return Map.copyOf(statuses);
    }

    @Override
    public void changed(ManifestLog.Stored manifest) {
        if (manifest.key().kind().equals(KIND)) {
            execute(() -> apply(manifest));
        }
    }

    @Override
    public void deleted(ManifestKey key, long version) {
        if (key.kind().equals(KIND)) {
            execute(() -> remove(key));
        }
    }

    /**
     * Answers new requests with 503, waits for those in flight, stops all entries and gives their
     * state to other processes.
     */
    @Override
    public void close() {
        dispatcher.drain();
        listeners.close();
        execute(
                () -> {
                    sources.values().forEach(RunningSource::stopAll);
                    sources.clear();
                });
        changes.shutdown();
        try {
            if (!changes.awaitTermination(30, TimeUnit.SECONDS)) {
                LOG.error("Some event sources did not stop within 30 s");
                changes.shutdownNow();
            }
        } catch (InterruptedException e) {
            changes.shutdownNow();
            Thread.currentThread().interrupt();
        }
        ownership.close();
    }

    private void apply(ManifestLog.Stored manifest) throws InterruptedException {
        SourceReading reading = SourceReading.of(manifest);
        RunningSource source = sources.computeIfAbsent(manifest.key(), RunningSource::new);
        List<EntryKey> gone =
                source.update(
                        manifest.version(),
                        reading.conditions(),
                        reading.entries(),
                        reading.created(),
                        (entry, seniority) -> {
                            EntryKey key =
                                    new EntryKey(
                                            manifest.key().namespace(),
                                            manifest.key().name(),
                                            entry.name());
                            return new SupervisedEntry(
                                    key,
                                    entries.create(key, entry, seniority),
                                    ports.clock(),
                                    ports.redact(),
                                    () -> statusChanged(manifest.key()));
                        });
        gone.forEach(this::forget);
        statusChanged(manifest.key());
    }

    private void remove(ManifestKey key) {
        RunningSource source = sources.remove(key);
        if (source == null) {
            return;
        }
        source.stopAll().forEach(this::forget);
        statuses.remove(key);
        var _ =
                ports.status()
                        .delete(key.kind(), key.namespace(), key.name())
                        .whenComplete((_, e) -> logFailure(key, e));
    }

    private void forget(EntryKey key) {
        try {
            ownership.forget(key);
        } catch (KafkaException e) {
            LOG.warn(
                    "The position of {} could not be removed; a new entry of this name goes on from it",
                    key,
                    e);
        }
    }

    private void statusChanged(ManifestKey key) {
        // Many entries change at once: one record says it.
        if (unpublished.add(key)) {
            execute(() -> publishStatus(key));
        }
    }

    private void publishStatus(ManifestKey key) {
        unpublished.remove(key);
        RunningSource source = sources.get(key);
        if (source == null) {
            return;
        }
        StatusRecord status = source.status(ports.clock().instant());
        statuses.put(key, status);
        var _ = ports.status().put(status).whenComplete((_, e) -> logFailure(key, e));
    }

    private static void logFailure(ManifestKey key, @Nullable Throwable e) {
        if (e != null) {
            LOG.error("The status of {} was not written", key, e);
        }
    }

    /** A change to the sources, on their thread. */
    private interface Change {
        void make() throws InterruptedException;
    }

    private void execute(Change change) {
        try {
            changes.execute(
                    () -> {
                        try {
                            change.make();
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        } catch (RuntimeException e) {
                            LOG.error("A change of the event sources failed", e);
                        }
                    });
        } catch (RejectedExecutionException e) {
            LOG.debug("A change comes too late: the event sources are closed");
        }
    }
}
