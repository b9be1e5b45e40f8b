package dev.millrace.sensors.joining;

import dev.millrace.schemas.record.Activation;
import dev.millrace.schemas.record.EventRef;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Something that happened to a trigger that waits. */
public sealed interface JoinEvent {

    /** A newer version of the sensor was seen. Pending events that it still waits for stay. */
    record Redefined(long manifestVersion, List<String> dependencies, JsonNode triggerManifest)
            implements JoinEvent {}

    /** Pending events are given up. */
    record Dropped(Set<String> dependencies, String reason) implements JoinEvent {}

    /** An event waits; it replaces an earlier one of its dependency. */
    record Kept(String dependency, EventRef event, Instant since, long manifestVersion)
            implements JoinEvent {}

    /** The conditions came true: all that waited goes with it, and nothing is left. */
    record Fired(Activation activation) implements JoinEvent {}

    /** The event was seen before. */
    record Repeated(String dependency, EventRef event) implements JoinEvent {}

    /** The event is of no use to the newest version of the trigger. */
    record Ignored(String dependency, EventRef event, String reason) implements JoinEvent {}
}
