package dev.millrace.schemas.sensor;

import dev.millrace.schemas.event.PodTemplate;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The spec of a Sensor: what it waits for and what it then does. */
public record SensorSpec(
        List<EventDependency> dependencies,
        List<Trigger> triggers,
        @Nullable PodTemplate template,
        @Nullable Boolean errorOnFailedRound,
        @Nullable String eventBusName,
        @Nullable Integer replicas,
        @Nullable Integer revisionHistoryLimit,
        Map<String, String> loggingFields) {
    public SensorSpec {
        dependencies = dependencies == null ? List.of() : dependencies;
        triggers = triggers == null ? List.of() : triggers;
        loggingFields = loggingFields == null ? Map.of() : loggingFields;
    }
}
