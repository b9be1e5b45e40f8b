package dev.millrace.schemas.record;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A record of {@code activations} and {@code joined-activations}: a trigger's conditions came true.
 * Keyed by {@code namespace/sensor/trigger}.
 *
 * @param id from sensor, trigger, event ids and replay run; the same again for a repeat
 * @param events the event of each dependency
 * @param manifestVersion version of the sensor that decided
 * @param triggerManifest the trigger as it stood then
 * @param kind of the object that decided and that {@code sensor} names; absent for a Sensor
 */
public record Activation(
        String id,
        String namespace,
        String sensor,
        String trigger,
        long manifestVersion,
        Map<String, EventRef> events,
        JsonNode triggerManifest,
        Instant at,
        @Nullable String replay,
        @Nullable String kind) {

    /** One of a Sensor. */
    public Activation(
            String id,
            String namespace,
            String sensor,
            String trigger,
            long manifestVersion,
            Map<String, EventRef> events,
            JsonNode triggerManifest,
            Instant at,
            @Nullable String replay) {
        this(
                id,
                namespace,
                sensor,
                trigger,
                manifestVersion,
                events,
                triggerManifest,
                at,
                replay,
                null);
    }
}
