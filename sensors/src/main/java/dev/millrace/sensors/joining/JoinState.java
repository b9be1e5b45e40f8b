package dev.millrace.sensors.joining;

import dev.millrace.schemas.record.EventRef;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What one trigger waits with.
 *
 * @param manifestVersion newest version of the sensor that was seen
 * @param dependencies all dependencies of that version, in order
 * @param triggerManifest the trigger of that version; null before the first event
 * @param pending the latest event of each dependency that has one
 */
public record JoinState(
        long manifestVersion,
        List<String> dependencies,
        @Nullable JsonNode triggerManifest,
        Map<String, Pending> pending) {

    public static final JoinState NEW = new JoinState(-1, List.of(), null, Map.of());

    /**
     * An event that waits for others.
     *
     * @param since when it came, by its record
     * @param manifestVersion version of the sensor that let it pass
     */
    public record Pending(EventRef event, Instant since, long manifestVersion) {}

    public JoinState {
        dependencies = dependencies == null ? List.of() : List.copyOf(dependencies);
        pending = pending == null ? Map.of() : Map.copyOf(pending);
    }
}
