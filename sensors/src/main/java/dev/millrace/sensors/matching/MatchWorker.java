package dev.millrace.sensors.matching;

import dev.millrace.log.DeadLetters;
import dev.millrace.log.Health;
import dev.millrace.log.LogConnection;
import dev.millrace.log.LogRecord;
import dev.millrace.log.Sending;
import dev.millrace.log.StatusLog;
import dev.millrace.log.Topics;
import dev.millrace.log.plain.GroupWorker;
import dev.millrace.log.plain.ManifestLog;
import dev.millrace.log.plain.WorkerOptions;
import dev.millrace.log.serde.CloudEventRecords;
import dev.millrace.log.serde.JsonSerde;
import dev.millrace.schemas.record.Activation;
import dev.millrace.schemas.record.DeadLetter;
import dev.millrace.schemas.record.Decision;
import dev.millrace.schemas.record.EventRef;
import dev.millrace.schemas.record.PostedEvent;
import dev.millrace.schemas.record.SensorMatch;
import dev.millrace.schemas.record.StatusRecord;
import dev.millrace.sensors.TriggerKey;
import dev.millrace.sensors.binding.BindingRegistry;
import io.cloudevents.CloudEvent;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The matcher: a group that reads events and writes what they mean, at least once. An event is done
 * when the log has all that it led to; repeats are told by their ids further down.
 */
public final class MatchWorker implements AutoCloseable {

    public static final String GROUP = "millrace-matcher";

    private static final Logger LOG = LoggerFactory.getLogger(MatchWorker.class);
    private static final JsonSerde<Activation> ACTIVATIONS = JsonSerde.of(Activation.class);
    private static final JsonSerde<SensorMatch> MATCHES = JsonSerde.of(SensorMatch.class);
    private static final JsonSerde<Decision> DECISIONS = JsonSerde.of(Decision.class);

    private final ManifestLog manifests;
    private final SensorRegistry registry;
    private final BindingRegistry bindings = new BindingRegistry();
    private final Producer<String, byte[]> producer;
    private final DeadLetters deadLetters;
    private final GroupWorker<CloudEvent> worker;

    /**
     * Starts the matcher, once all manifests that stand now are read.
     *
     * @param producer one that never gives up: an event is late, never skipped. Closed by the
     *     caller, after this
     * @throws InterruptedException while waiting for the manifests
     */
    public static MatchWorker start(
            LogConnection log,
            ManifestLog manifests,
            Producer<String, byte[]> producer,
            DeadLetters deadLetters,
            InstantSource clock)
            throws InterruptedException {
        try {
            manifests.caughtUp().get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("the manifests cannot be read", e.getCause());
        }
        return new MatchWorker(log, manifests, producer, deadLetters, clock);
    }

    private MatchWorker(
            LogConnection log,
            ManifestLog manifests,
            Producer<String, byte[]> producer,
            DeadLetters deadLetters,
            InstantSource clock) {
        this.manifests = manifests;
        this.producer = producer;
        this.deadLetters = deadLetters;
        this.registry = new SensorRegistry(new Statuses(new StatusLog(producer)), clock);
        manifests.subscribe(registry);
        manifests.subscribe(bindings);
        this.worker =
                GroupWorker.start(
                        log,
                        GROUP,
                        List.of(Topics.EVENTS),
                        new CloudEventRecords(),
                        this::handle,
                        deadLetters,
                        WorkerOptions.DEFAULT);
    }

    /** For {@code /readyz}. */
    public Health health() {
        return worker.health();
    }

    @Override
    public void close() {
        worker.close();
        manifests.unsubscribe(registry);
        manifests.unsubscribe(bindings);
    }

    private void handle(LogRecord<CloudEvent> record) throws Exception {
        EventRef event = EventRecords.event(record);
        String replay = EventRecords.replay(record);
        Matching matching =
                registry.matcher()
                        .match(event, replay, record.time())
                        .and(bindings.match(event, replay, record.time()));
        List<CompletableFuture<RecordMetadata>> sent = new ArrayList<>();
        Map<String, String> tooLarge = new HashMap<>();
        for (Activation a : matching.activations()) {
            String key = TriggerKey.of(a.namespace(), a.sensor(), a.trigger());
            byte[] value = ACTIVATIONS.encode(a);
            if (value.length > Topics.LARGEST_VALUE) {
                tooLarge.put(key, tooLarge(record, key, "activation", value.length, sent));
            } else {
                sent.add(send(Topics.ACTIVATIONS, key, value));
            }
        }
        for (SensorMatch m : matching.matches()) {
            String key = TriggerKey.of(m.namespace(), m.sensor(), m.trigger());
            byte[] value = MATCHES.encode(m);
            if (value.length > Topics.LARGEST_VALUE) {
                tooLarge.put(key, tooLarge(record, key, "match", value.length, sent));
            } else {
                sent.add(send(Topics.SENSOR_MATCHES, key, value));
            }
        }
        matching.refused()
                .forEach(
                        (binding, reason) ->
                                refuse(
                                        record,
                                        TriggerKey.of(
                                                event.namespace(), binding, PostedEvent.TRIGGER),
                                        "WorkflowEventBinding %s: %s".formatted(binding, reason),
                                        sent));
        for (Decision d : matching.decisions()) {
            String reason =
                    d.trigger() == null
                            ? null
                            : tooLarge.get(TriggerKey.of(d.namespace(), d.sensor(), d.trigger()));
            Decision decision = reason == null ? d : failed(d, reason);
            sent.add(send(Topics.DECISIONS, d.eventId(), DECISIONS.encode(decision)));
        }
        CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new)).get();
    }

    /** An output that the log cannot take becomes a dead letter; the other sensors go on. */
    private String tooLarge(
            LogRecord<CloudEvent> record,
            String trigger,
            String what,
            int bytes,
            List<CompletableFuture<RecordMetadata>> sent) {
        String reason =
                "the %s of %s has %d bytes with its event; at most %d are possible"
                        .formatted(what, trigger, bytes, Topics.LARGEST_VALUE);
        return reason + "; see dead letter " + refuse(record, trigger, reason, sent);
    }

    /** The place of an event from which something should have come. */
    private String refuse(
            LogRecord<CloudEvent> record,
            String trigger,
            String reason,
            List<CompletableFuture<RecordMetadata>> sent) {
        DeadLetter place =
                DeadLetters.of(
                        record.topic(),
                        record.partition(),
                        record.offset(),
                        record.key(),
                        null,
                        reason,
                        record.time());
        String origin = place.origin() + "/" + trigger;
        sent.add(
                deadLetters.send(
                        new DeadLetter(
                                origin,
                                origin,
                                place.key(),
                                reason,
                                place.value(),
                                List.of(),
                                place.at())));
        return origin;
    }

    private static Decision failed(Decision d, String reason) {
        return new Decision(
                d.eventId(),
                d.namespace(),
                d.sensor(),
                d.dependency(),
                d.trigger(),
                "failed",
                reason,
                d.activationId(),
                d.manifestVersion(),
                d.at(),
                d.kind());
    }

    private CompletableFuture<RecordMetadata> send(String topic, String key, byte[] value) {
        return Sending.send(producer, new ProducerRecord<>(topic, key, value));
    }

    /** On the reader's thread: nobody waits, but a failure is seen. */
    private record Statuses(StatusLog log) implements SensorRegistry.StatusSink {

        @Override
        public void put(StatusRecord status) {
            watch(log.put(status), status.name());
        }

        @Override
        public void delete(String namespace, String name) {
            watch(log.delete("Sensor", namespace, name), name);
        }

        private static void watch(CompletableFuture<RecordMetadata> sent, String sensor) {
            CompletableFuture<RecordMetadata> unused =
                    sent.whenComplete(
                            (_, e) -> {
                                if (e != null) {
                                    LOG.error("the status of sensor {} was not written", sensor, e);
                                }
                            });
        }
    }
}
