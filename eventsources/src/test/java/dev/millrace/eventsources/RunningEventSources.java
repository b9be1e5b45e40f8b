package dev.millrace.eventsources;

import dev.millrace.log.LogConnection;
import dev.millrace.log.ManifestKey;
import dev.millrace.log.Secrets;
import dev.millrace.log.StatusLog;
import dev.millrace.log.plain.ManifestLog;
import dev.millrace.log.serde.Producers;
import dev.millrace.log.serde.Producers.Patience;
import dev.millrace.schemas.manifest.Manifest;
import dev.millrace.schemas.manifest.ManifestReader;
import dev.millrace.schemas.record.StatusRecord;
import dev.millrace.testkit.Await;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.Producer;

/** A runtime with its clients, fed with manifests by a test. */
final class RunningEventSources implements AutoCloseable {

    final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    final EventSourceRuntime runtime;
    private final Producer<String, byte[]> producer;
    private final AtomicLong version = new AtomicLong();

    RunningEventSources(LogConnection log, Secrets secrets) {
        this.producer = Producers.plain(log, "test-events", Patience.ANSWER);
        this.runtime =
                EventSourceRuntime.start(
                        new EventSourcePorts(
                                log,
                                producer,
                                new StatusLog(producer),
                                secrets,
                                null,
                                meters,
                                InstantSource.system(),
                                text -> text,
                                "127.0.0.1"));
    }

    ManifestKey put(String yaml) {
        Manifest manifest = ManifestReader.read("test", yaml).documents().getFirst().manifest();
        ManifestKey key =
                new ManifestKey(
                        "EventSource", manifest.namespace(), String.valueOf(manifest.name()));
        runtime.changed(new ManifestLog.Stored(key, manifest.tree(), version.incrementAndGet()));
        return key;
    }

    void delete(ManifestKey key) {
        runtime.deleted(key, version.incrementAndGet());
    }

    void awaitState(ManifestKey key, String event, String state) {
        Await.until(
                event + " of " + key + " is " + state + ", statuses are " + runtime.statuses(),
                Duration.ofSeconds(20),
                () -> {
                    StatusRecord status = runtime.statuses().get(key);
                    return status != null
                            && status.manifestVersion() <= version.get()
                            && status.entries().containsKey(event)
                            && status.entries().get(event).state().equals(state);
                });
    }

    void awaitAllActive(ManifestKey key, int entries) {
        Await.until(
                "all of " + key + " are active",
                Duration.ofSeconds(20),
                () -> {
                    StatusRecord status = runtime.statuses().get(key);
                    Map<String, StatusRecord.Entry> found =
                            status == null ? Map.of() : status.entries();
                    return found.size() == entries
                            && found.values().stream().allMatch(e -> e.state().equals("Active"));
                });
    }

    String message(ManifestKey key, String event) {
        return String.valueOf(runtime.statuses().get(key).entries().get(event).message());
    }

    /** Sum of a counter over all entries. */
    double total(String what) {
        return meters.find("millrace.eventsource.events." + what).counters().stream()
                .mapToDouble(counter -> counter.count())
                .sum();
    }

    static int freePort() {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        runtime.close();
        producer.close();
    }
}
