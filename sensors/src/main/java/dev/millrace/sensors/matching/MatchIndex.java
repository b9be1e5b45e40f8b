package dev.millrace.sensors.matching;

import dev.millrace.sensors.definition.DependencyDefinition;
import dev.millrace.sensors.definition.SensorDefinition;
import dev.millrace.sensors.definition.TriggerDefinition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Which triggers wait for an event, found by its namespace, source and name. Immutable. */
public final class MatchIndex {

    public static final MatchIndex EMPTY = new MatchIndex(List.of());

    /** A dependency of a trigger. */
    record Candidate(
            SensorDefinition sensor, TriggerDefinition trigger, DependencyDefinition dependency) {}

    private record EventKey(String namespace, String source, String event) {}

    private final Map<EventKey, List<Candidate>> candidates = new HashMap<>();

    public MatchIndex(Collection<SensorDefinition> sensors) {
        for (SensorDefinition sensor : sensors) {
            for (TriggerDefinition trigger : sensor.triggers()) {
                for (DependencyDefinition dependency : trigger.waitsFor()) {
                    EventKey key =
                            new EventKey(
                                    sensor.namespace(), dependency.source(), dependency.event());
                    candidates
                            .computeIfAbsent(key, _ -> new ArrayList<>())
                            .add(new Candidate(sensor, trigger, dependency));
                }
            }
        }
    }

    List<Candidate> find(String namespace, String source, String event) {
        return candidates.getOrDefault(new EventKey(namespace, source, event), List.of());
    }
}
