package dev.millrace.sensors.joining;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.Activation;
import dev.millrace.schemas.record.EventRef;
import dev.millrace.schemas.record.SensorMatch;
import dev.millrace.schemas.sensor.ConditionsReset;
import dev.millrace.schemas.sensor.TriggerTemplate;
import dev.millrace.sensors.definition.Conditions;
import dev.millrace.sensors.definition.ResetSchedule;
import dev.millrace.sensors.matching.ActivationId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/**
 * A trigger that waits for several events: the latest event of each dependency is kept; when the
 * condition holds, all that is kept goes into one activation and nothing stays. Each match brings
 * the trigger as the matcher knew it, so that the machine needs no look-up and gives the same
 * answer at every replay.
 */
public final class JoinMachine {

    private JoinMachine() {}

    /**
     * @param seen whether this event came for this dependency before
     * @param now of the match's record
     */
    public static List<JoinEvent> decide(
            JoinState state, SensorMatch match, boolean seen, Instant now) {
        if (seen) {
            return List.of(new JoinEvent.Repeated(match.dependency(), match.event()));
        }
        List<JoinEvent> events = new ArrayList<>();
        JoinState current = redefine(state, match, events);
        Waiting waiting = Waiting.of(current);
        if (!waiting.names().contains(match.dependency())) {
            events.add(
                    new JoinEvent.Ignored(
                            match.dependency(),
                            match.event(),
                            "a newer version of the sensor does not wait for it"));
            return events;
        }
        current = reset(current, waiting, now, events);
        Map<String, EventRef> present = new TreeMap<>();
        current.pending().forEach((dependency, p) -> present.put(dependency, p.event()));
        present.put(match.dependency(), match.event());
        if (waiting.conditions().holds(present.keySet())) {
            events.add(new JoinEvent.Fired(activation(current, match, present, now)));
        } else {
            events.add(
                    new JoinEvent.Kept(
                            match.dependency(), match.event(), now, match.manifestVersion()));
        }
        return events;
    }

    /** The state after an event. */
    public static JoinState evolve(JoinState state, JoinEvent event) {
        return switch (event) {
            case JoinEvent.Redefined(long version, List<String> names, JsonNode manifest) ->
                    new JoinState(version, names, manifest, state.pending());
            case JoinEvent.Dropped(Set<String> dependencies, _) -> {
                Map<String, JoinState.Pending> left = new HashMap<>(state.pending());
                left.keySet().removeAll(dependencies);
                yield withPending(state, left);
            }
            case JoinEvent.Kept(String dependency, EventRef kept, Instant since, long version) -> {
                Map<String, JoinState.Pending> more = new HashMap<>(state.pending());
                more.put(dependency, new JoinState.Pending(kept, since, version));
                yield withPending(state, more);
            }
            case JoinEvent.Fired(_) -> withPending(state, Map.of());
            case JoinEvent.Repeated(_, _), JoinEvent.Ignored(_, _, _) -> state;
        };
    }

    private static JoinState redefine(JoinState state, SensorMatch match, List<JoinEvent> events) {
        JsonNode manifest = match.triggerManifest();
        if (match.manifestVersion() <= state.manifestVersion() || manifest == null) {
            return state;
        }
        JoinState next =
                add(
                        state,
                        new JoinEvent.Redefined(
                                match.manifestVersion(), match.dependencies(), manifest),
                        events);
        Set<String> names = Waiting.of(next).names();
        Set<String> orphans = new HashSet<>();
        next.pending()
                .forEach(
                        (dependency, pending) -> {
                            if (!names.contains(dependency)
                                    || pending.manifestVersion() < match.since()) {
                                orphans.add(dependency);
                            }
                        });
        return orphans.isEmpty()
                ? next
                : add(
                        next,
                        new JoinEvent.Dropped(orphans, "the trigger waits for them no longer"),
                        events);
    }

    private static JoinState reset(
            JoinState state, Waiting waiting, Instant now, List<JoinEvent> events) {
        Set<String> old = new HashSet<>();
        state.pending()
                .forEach(
                        (dependency, pending) -> {
                            if (waiting.ticked(pending.since(), now)) {
                                old.add(dependency);
                            }
                        });
        return old.isEmpty()
                ? state
                : add(state, new JoinEvent.Dropped(old, "conditionsReset"), events);
    }

    private static JoinState add(JoinState state, JoinEvent event, List<JoinEvent> events) {
        events.add(event);
        return evolve(state, event);
    }

    private static JoinState withPending(JoinState state, Map<String, JoinState.Pending> pending) {
        return new JoinState(
                state.manifestVersion(), state.dependencies(), state.triggerManifest(), pending);
    }

    private static Activation activation(
            JoinState state, SensorMatch match, Map<String, EventRef> events, Instant now) {
        JsonNode manifest = state.triggerManifest();
        return new Activation(
                ActivationId.of(
                        match.namespace(), match.sensor(), match.trigger(), events, match.replay()),
                match.namespace(),
                match.sensor(),
                match.trigger(),
                state.manifestVersion(),
                events,
                manifest == null ? Json.object() : manifest,
                now,
                match.replay());
    }

    /** What the trigger of a state waits for. */
    private record Waiting(Conditions.Parsed conditions, List<ResetSchedule.Parsed> resets) {

        static Waiting of(JoinState state) {
            JsonNode manifest = state.triggerManifest();
            if (manifest == null) {
                throw new IllegalStateException("a match without its trigger");
            }
            TriggerTemplate template =
                    Json.convert(manifest.path("template"), TriggerTemplate.class);
            List<ResetSchedule.Parsed> resets = new ArrayList<>();
            for (ConditionsReset reset : template.conditionsReset()) {
                switch (ResetSchedule.of(reset)) {
                    case ResetSchedule.Parsed parsed -> resets.add(parsed);
                    case ResetSchedule.Invalid(String message) ->
                            throw new IllegalStateException(message);
                }
            }
            return switch (Conditions.parse(template.conditions(), state.dependencies())) {
                case Conditions.Parsed parsed -> new Waiting(parsed, resets);
                case Conditions.Refused(String message) -> throw new IllegalStateException(message);
            };
        }

        Set<String> names() {
            return conditions.names();
        }

        boolean ticked(Instant since, Instant now) {
            return resets.stream().anyMatch(reset -> reset.ticked(since, now));
        }
    }
}
