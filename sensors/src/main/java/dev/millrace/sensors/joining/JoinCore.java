package dev.millrace.sensors.joining;

import dev.millrace.log.serde.JsonSerde;
import dev.millrace.log.stream.EntityCore;
import dev.millrace.log.stream.EntryType;
import dev.millrace.log.stream.Input;
import dev.millrace.log.stream.Timer;
import dev.millrace.log.stream.Turn;
import dev.millrace.schemas.record.Activation;
import dev.millrace.schemas.record.Decision;
import dev.millrace.schemas.record.EventRef;
import dev.millrace.schemas.record.SensorMatch;
import dev.millrace.sensors.TriggerKey;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@link JoinMachine} as the log runs it. An entity is one trigger, or one trigger in one replay.
 */
final class JoinCore implements EntityCore<SensorMatch> {

    static final String ACTIVATIONS_SINK = "joined-activations";
    static final String DECISIONS_SINK = "decisions";

    private static final JsonSerde<Activation> ACTIVATIONS = JsonSerde.of(Activation.class);
    private static final JsonSerde<Decision> DECISIONS = JsonSerde.of(Decision.class);
    private static final EntryType<JoinState> STATE = EntryType.of("join", JoinState.class);

    /** The match of the present turn. */
    private @Nullable SensorMatch current;

    @Override
    public void onInput(Input<SensorMatch> input, Turn turn) {
        SensorMatch match = input.value();
        current = match;
        String run = match.replay() == null ? "" : match.replay();
        boolean seen =
                !turn.seen()
                        .firstTime(
                                input.entity() + "/" + match.dependency(),
                                run + "/" + match.event().id(),
                                turn.now());
        JoinState state = turn.store().get(input.entity(), STATE, run).orElse(JoinState.NEW);
        List<JoinEvent> events = JoinMachine.decide(state, match, seen, turn.now());
        for (JoinEvent event : events) {
            effect(event, state, match, turn);
            state = JoinMachine.evolve(state, event);
        }
        turn.store().put(input.entity(), STATE, run, state);
    }

    @Override
    public void onTimer(Timer timer, Turn turn) {
        throw new IllegalStateException("the joiner sets no timers, but " + timer + " fired");
    }

    @Override
    public void onFailure(String entity, String reference, RuntimeException cause, Turn turn) {
        // The match is a dead letter; what waits goes on waiting.
        SensorMatch failed = current;
        if (failed != null) {
            String reason = cause.getMessage() + "; see dead letter " + reference;
            decide(turn, failed, failed.dependency(), failed.event(), "failed", reason, null);
        }
    }

    /**
     * @param before the state in which the event happened
     */
    private static void effect(JoinEvent event, JoinState before, SensorMatch match, Turn turn) {
        switch (event) {
            case JoinEvent.Redefined(_, _, _) -> {}
            case JoinEvent.Dropped(Set<String> dependencies, String reason) ->
                    dependencies.forEach(d -> gone(turn, match, before, d, reason));
            case JoinEvent.Kept(String dependency, EventRef kept, Instant _, long _) -> {
                gone(turn, match, before, dependency, "event " + kept.id() + " took its place");
                decide(turn, match, dependency, kept, "pending", null, null);
            }
            case JoinEvent.Repeated(String dependency, EventRef repeated) ->
                    decide(turn, match, dependency, repeated, "duplicate", null, null);
            case JoinEvent.Ignored(String dependency, EventRef ignored, String reason) ->
                    decide(turn, match, dependency, ignored, "filtered", reason, null);
            case JoinEvent.Fired(Activation activation) -> {
                turn.emit(
                        ACTIVATIONS_SINK,
                        TriggerKey.of(
                                activation.namespace(), activation.sensor(), activation.trigger()),
                        ACTIVATIONS,
                        activation);
                activation
                        .events()
                        .forEach(
                                (dependency, with) ->
                                        decide(
                                                turn,
                                                match,
                                                dependency,
                                                with,
                                                "fired",
                                                null,
                                                activation.id()));
            }
        }
    }

    private static void gone(
            Turn turn, SensorMatch match, JoinState before, String dependency, String reason) {
        JoinState.Pending pending = before.pending().get(dependency);
        if (pending != null) {
            decide(turn, match, dependency, pending.event(), "filtered", reason, null);
        }
    }

    private static void decide(
            Turn turn,
            SensorMatch match,
            String dependency,
            EventRef event,
            String outcome,
            @Nullable String reason,
            @Nullable String activationId) {
        Decision decision =
                new Decision(
                        event.id(),
                        match.namespace(),
                        match.sensor(),
                        dependency,
                        match.trigger(),
                        outcome,
                        reason,
                        activationId,
                        match.manifestVersion(),
                        turn.now());
        turn.emit(DECISIONS_SINK, event.id(), DECISIONS, decision);
    }
}
