package dev.millrace.schemas.record;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A record of {@code sensor-matches}: an event that passed the filters of a dependency, for one
 * trigger. Keyed by {@code namespace/sensor/trigger}.
 *
 * @param dependencies all dependencies of the sensor, in order: what the trigger's condition may
 *     name
 * @param triggerManifest the trigger as it stood then, so that whoever joins need not look it up
 * @param since version with which this sensor began; what waits from before it is of a deleted one
 *     of the same name. 0 if not known
 */
public record SensorMatch(
        String namespace,
        String sensor,
        String trigger,
        String dependency,
        long manifestVersion,
        EventRef event,
        @Nullable String replay,
        List<String> dependencies,
        @Nullable JsonNode triggerManifest,
        long since) {

    public SensorMatch {
        dependencies = dependencies == null ? List.of() : dependencies;
    }
}
