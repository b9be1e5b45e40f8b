package dev.millrace.sensors.matching;

import dev.millrace.schemas.record.Activation;
import dev.millrace.schemas.record.Decision;
import dev.millrace.schemas.record.SensorMatch;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What an event means to all sensors and bindings.
 *
 * @param activations triggers that need nothing else
 * @param matches for triggers that wait for more
 * @param decisions what was decided and why, for each dependency that names the event
 * @param refused why nothing came of an event that counted, by the name of the binding
 */
public record Matching(
        List<Activation> activations,
        List<SensorMatch> matches,
        List<Decision> decisions,
        Map<String, String> refused) {

    /** It means nothing. */
    public static final Matching NOTHING = new Matching(List.of(), List.of(), List.of(), Map.of());

    public Matching {
        activations = List.copyOf(activations);
        matches = List.copyOf(matches);
        decisions = List.copyOf(decisions);
        refused = Map.copyOf(refused);
    }

    /** This first, then the other. */
    public Matching and(Matching other) {
        Map<String, String> all = new HashMap<>(refused);
        all.putAll(other.refused);
        return new Matching(
                joined(activations, other.activations),
                joined(matches, other.matches),
                joined(decisions, other.decisions),
                all);
    }

    private static <T> List<T> joined(List<T> first, List<T> second) {
        return Stream.concat(first.stream(), second.stream()).toList();
    }
}
