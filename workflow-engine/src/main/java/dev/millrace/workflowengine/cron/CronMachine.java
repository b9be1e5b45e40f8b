package dev.millrace.workflowengine.cron;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.millrace.log.stream.Core;
import dev.millrace.schemas.record.CronInput;
import dev.millrace.schemas.record.WorkflowPhase;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Decides what a CronWorkflow does. The next time of each schedule is state, so a time that passes
 * while nobody runs is seen afterwards: of those the last one is made up for, if it is not too old.
 */
public final class CronMachine implements Core<CronState, CronMachine.Input, CronEvent> {

    /** The condition of a run that could not be started. */
    public static final String SUBMISSION_ERROR = "SubmissionError";

    /** The condition of a definition that cannot be followed. */
    public static final String SPEC_ERROR = "SpecError";

    /** What happens to a CronWorkflow. As JSON a fact is its record. */
    public sealed interface Input {

        /** A record of {@code cron-inputs}. */
        record Fact(@JsonValue CronInput input) implements Input {}

        /** The time that it wanted to be woken at has come. */
        record Tick() implements Input {}
    }

    @Override
    public List<CronEvent> decide(@Nullable CronState known, Input input, Instant now) {
        CronDecision decision = new CronDecision(known == null ? CronState.EMPTY : known, now);
        switch (input) {
            case Input.Tick() -> tick(decision);
            case Input.Fact(CronInput fact) -> fact(decision, fact);
        }
        return decision.events();
    }

    private static void fact(CronDecision decision, CronInput fact) {
        switch (fact) {
            case CronInput.Defined(JsonNode manifest, long version) ->
                    defined(decision, manifest, version);
            case CronInput.Removed(long version) -> removed(decision, version);
            case CronInput.WorkflowSubmitted(String workflow, String uid, boolean owned) ->
                    started(decision, new CronState.Run(workflow, uid, owned));
            case CronInput.WorkflowFinished(
                            String workflow,
                            String uid,
                            WorkflowPhase phase,
                            Instant at) ->
                    finished(decision, uid, phase, at);
            case CronInput.WorkflowDeleted(String workflow, String uid) -> {
                if (decision.state().isKnown(uid)) {
                    decision.add(new CronEvent.WorkflowGone(uid));
                }
            }
            case CronInput.SubmissionEnded(Instant time, String refusal) ->
                    submissionEnded(decision, time, refusal);
        }
    }

    private static void defined(CronDecision decision, JsonNode manifest, long version) {
        CronState before = decision.state();
        if (version <= before.version()) {
            // A repeat.
            return;
        }
        CronDefinition old = before.manifest() == null ? null : sound(before.manifest());
        decision.add(new CronEvent.Defined(manifest, version));
        switch (CronDefinition.read(manifest)) {
            case CronDefinition.Reading.Unsound(String message) -> {
                decision.condition(SPEC_ERROR, message);
                decision.due(Map.of());
            }
            case CronDefinition.Reading.Sound(CronDefinition definition) -> {
                decision.clear(SPEC_ERROR);
                reschedule(decision, old, definition);
                restart(decision, old, definition);
                CronHistory.trim(decision, definition);
            }
        }
    }

    private static void reschedule(
            CronDecision decision, @Nullable CronDefinition old, CronDefinition definition) {
        boolean same =
                old != null && old.schedulesWithZone().equals(definition.schedulesWithZone());
        if (same && !decision.state().due().isEmpty()) {
            return;
        }
        if (old != null && !same) {
            decision.add(new CronEvent.Rescheduled());
        }
        decision.due(CronRuns.nextTimes(definition, decision.now()));
    }

    /** A changed stop strategy may let it go on. */
    private static void restart(
            CronDecision decision, @Nullable CronDefinition old, CronDefinition definition) {
        boolean changed = old == null || !old.stopExpression().equals(definition.stopExpression());
        if (decision.state().stopped()
                && changed
                && CronRuns.stops(decision, definition) == CronRuns.Verdict.NO) {
            decision.add(new CronEvent.Restarted());
        }
    }

    /** What it owns goes with it, as owner references say. */
    private static void removed(CronDecision decision, long version) {
        CronState before = decision.state();
        if (version <= before.version() || before.manifest() == null) {
            return;
        }
        decision.add(new CronEvent.Removed(version));
        List<CronState.Run> all = new ArrayList<>(before.active());
        before.ended().forEach(e -> all.add(e.run()));
        all.stream()
                .filter(CronState.Run::owned)
                .forEach(run -> decision.add(new CronEvent.DeletionOrdered(run)));
    }

    private static void started(CronDecision decision, CronState.Run run) {
        CronState before = decision.state();
        if (before.isKnown(run.uid())) {
            return;
        }
        boolean ordered =
                before.pending().stream().anyMatch(p -> p.workflow().equals(run.workflow()));
        decision.add(new CronEvent.WorkflowStarted(run));
        if (before.manifest() == null && ordered) {
            // It was under way when the definition went.
            decision.add(new CronEvent.DeletionOrdered(run));
        } else if (ordered) {
            decision.clear(SUBMISSION_ERROR);
        }
    }

    private static void finished(
            CronDecision decision, String uid, WorkflowPhase phase, Instant at) {
        CronState before = decision.state();
        CronState.Run run =
                before.active().stream().filter(r -> r.uid().equals(uid)).findFirst().orElse(null);
        if (run == null) {
            // Of one that was retried the end that counts is the last.
            run =
                    before.ended().stream()
                            .map(CronState.Ended::run)
                            .filter(r -> r.uid().equals(uid))
                            .findFirst()
                            .orElse(null);
        }
        if (run == null) {
            return;
        }
        decision.add(new CronEvent.WorkflowEnded(run, phase == WorkflowPhase.SUCCEEDED, at));
        CronDefinition definition = before.manifest() == null ? null : sound(before.manifest());
        if (definition != null) {
            CronRuns.stopIfSaid(decision, definition);
            CronHistory.trim(decision, definition);
        }
    }

    private static void submissionEnded(
            CronDecision decision, Instant time, @Nullable String refusal) {
        boolean waits =
                decision.state().pending().stream().anyMatch(p -> p.scheduledTime().equals(time));
        if (!waits) {
            return;
        }
        if (refusal == null) {
            decision.add(new CronEvent.RunExists(time));
        } else {
            decision.add(new CronEvent.RunRefused(time));
            if (decision.state().manifest() != null) {
                decision.condition(SUBMISSION_ERROR, "Failed to submit Workflow: " + refusal);
            }
        }
    }

    private static void tick(CronDecision decision) {
        JsonNode manifest = decision.state().manifest();
        CronDefinition definition = manifest == null ? null : sound(manifest);
        if (definition != null) {
            CronRuns.tick(decision, definition);
        }
    }

    /**
     * Goes on after an input that could not be handled: the status says so, and the next time comes
     * nevertheless.
     *
     * @param reference of the dead letter
     */
    public List<CronEvent> decideAfterFailure(
            @Nullable CronState known, String reference, Instant now) {
        if (known == null || known.manifest() == null) {
            return List.of();
        }
        CronDecision decision = new CronDecision(known, now);
        decision.condition(
                SPEC_ERROR, "the engine could not handle an input: see dead letter " + reference);
        CronDefinition definition = sound(known.manifest());
        if (definition != null) {
            decision.due(CronRuns.nextTimes(definition, now));
        }
        return decision.events();
    }

    /** Null for a definition that cannot be followed. */
    static @Nullable CronDefinition sound(JsonNode manifest) {
        return switch (CronDefinition.read(manifest)) {
            case CronDefinition.Reading.Sound(CronDefinition definition) -> definition;
            case CronDefinition.Reading.Unsound _ -> null;
        };
    }

    @Override
    public @Nullable CronState evolve(@Nullable CronState state, CronEvent event) {
        CronState after = CronEvolution.apply(state == null ? CronState.EMPTY : state, event);
        return after.isNothing() ? null : after;
    }
}
