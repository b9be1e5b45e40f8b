package dev.millrace.sensors.matching;

import dev.millrace.schemas.record.Activation;
import dev.millrace.schemas.record.Decision;
import dev.millrace.schemas.record.SensorMatch;
import java.util.List;

/**
 * What an event means to all sensors.
 *
 * @param activations triggers that need nothing else
 * @param matches for triggers that wait for more
 * @param decisions what was decided and why, for each dependency that names the event
 */
public record Matching(
        List<Activation> activations, List<SensorMatch> matches, List<Decision> decisions) {

    public Matching {
        activations = List.copyOf(activations);
        matches = List.copyOf(matches);
        decisions = List.copyOf(decisions);
    }
}
