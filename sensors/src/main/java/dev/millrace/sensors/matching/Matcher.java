package dev.millrace.sensors.matching;

import dev.millrace.schemas.record.Activation;
import dev.millrace.schemas.record.Decision;
import dev.millrace.schemas.record.EventRef;
import dev.millrace.schemas.record.SensorMatch;
import dev.millrace.sensors.definition.DependencyDefinition;
import dev.millrace.sensors.definition.SensorDefinition;
import dev.millrace.sensors.definition.TriggerDefinition;
import dev.millrace.sensors.filter.Verdict;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds what an event means: for each trigger that waits for it, whether it passes the dependency's
 * filters. A dependency is judged once, however many triggers wait for it.
 */
public final class Matcher {

    private final MatchIndex index;

    public Matcher(MatchIndex index) {
        this.index = index;
    }

    /**
     * @param now of the event's record
     * @param replay the run of a replay, null if live
     */
    public Matching match(EventRef event, @Nullable String replay, Instant now) {
        List<Activation> activations = new ArrayList<>();
        List<SensorMatch> matches = new ArrayList<>();
        List<Decision> decisions = new ArrayList<>();
        Map<DependencyDefinition, Verdict> verdicts = new HashMap<>();
        for (MatchIndex.Candidate candidate :
                index.find(event.namespace(), event.source(), event.subject())) {
            SensorDefinition sensor = candidate.sensor();
            TriggerDefinition trigger = candidate.trigger();
            DependencyDefinition dependency = candidate.dependency();
            Deciding deciding = new Deciding(event, sensor, trigger, dependency, now, decisions);
            if (trigger.broken() != null) {
                deciding.decide("failed", trigger.broken(), null);
                continue;
            }
            Verdict verdict = verdicts.computeIfAbsent(dependency, d -> d.filter().judge(event));
            switch (verdict) {
                case Verdict.Rejected(String reason) -> deciding.decide("filtered", reason, null);
                case Verdict.Failed(String message) ->
                        deciding.decide("filtered", "error: " + message, null);
                case Verdict.Passed() -> {
                    if (trigger.immediate()) {
                        Activation activation = activation(candidate, event, replay, now);
                        activations.add(activation);
                        deciding.decide("fired", null, activation.id());
                    } else {
                        matches.add(match(candidate, event, replay));
                        deciding.decide("matched", null, null);
                    }
                }
            }
        }
        return new Matching(activations, matches, decisions, Map.of());
    }

    private static Activation activation(
            MatchIndex.Candidate c, EventRef event, @Nullable String replay, Instant now) {
        SensorDefinition sensor = c.sensor();
        Map<String, EventRef> events = Map.of(c.dependency().name(), event);
        return new Activation(
                ActivationId.of(
                        sensor.namespace(), sensor.name(), c.trigger().name(), events, replay),
                sensor.namespace(),
                sensor.name(),
                c.trigger().name(),
                sensor.version(),
                events,
                c.trigger().manifest(),
                now,
                replay);
    }

    private static SensorMatch match(
            MatchIndex.Candidate c, EventRef event, @Nullable String replay) {
        return new SensorMatch(
                c.sensor().namespace(),
                c.sensor().name(),
                c.trigger().name(),
                c.dependency().name(),
                c.sensor().version(),
                event,
                replay,
                c.sensor().dependencies(),
                c.trigger().manifest(),
                c.sensor().since());
    }

    private record Deciding(
            EventRef event,
            SensorDefinition sensor,
            TriggerDefinition trigger,
            DependencyDefinition dependency,
            Instant now,
            List<Decision> decisions) {

        void decide(String outcome, @Nullable String reason, @Nullable String activationId) {
            decisions.add(
                    new Decision(
                            event.id(),
                            sensor.namespace(),
                            sensor.name(),
                            dependency.name(),
                            trigger.name(),
                            outcome,
                            reason,
                            activationId,
                            sensor.version(),
                            now));
        }
    }
}
