package dev.millrace.server.readmodel;

import dev.millrace.log.LogRecord;
import dev.millrace.log.serde.JsonSerde;
import dev.millrace.log.serde.RecordDecoder;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.Activation;
import dev.millrace.schemas.record.EventRef;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jdbi.v3.core.Handle;

/** Activations, with the ids of their events instead of the events; of either topic. */
final class ActivationProjection implements TopicProjection<Activation> {

    private static final JsonSerde<Activation> SERDE = JsonSerde.of(Activation.class);

    private final String topic;

    ActivationProjection(String topic) {
        this.topic = topic;
    }

    @Override
    public String topic() {
        return topic;
    }

    @Override
    public RecordDecoder<Activation> decoder() {
        return SERDE;
    }

    @Override
    public void apply(Handle handle, List<LogRecord<Activation>> records) {
        for (LogRecord<Activation> record : records) {
            Activation activation = record.requiredValue();
            Map<String, String> events = new TreeMap<>();
            for (Map.Entry<String, EventRef> event : activation.events().entrySet()) {
                events.put(event.getKey(), event.getValue().id());
            }
            // The first one counts: a repeat says the same.
            handle.execute(
                    """
                    INSERT OR IGNORE INTO activations (id, namespace, sensor, "trigger", at, version, events)
                    VALUES (?, ?, ?, ?, ?, ?, ?)""",
                    activation.id(),
                    activation.namespace(),
                    activation.sensor(),
                    activation.trigger(),
                    activation.at().toEpochMilli(),
                    activation.manifestVersion(),
                    Json.mapper().writeValueAsString(events));
        }
    }
}
