package dev.millrace.workflowengine.cron;

import dev.millrace.expressions.cron.CronSchedule;
import dev.millrace.expressions.expr.ExprEvaluationException;
import dev.millrace.expressions.expr.ExprProgram;
import dev.millrace.expressions.expr.ExprSyntaxException;
import dev.millrace.expressions.govaluate.WhenCondition;
import dev.millrace.expressions.tag.Mode;
import dev.millrace.expressions.tag.Replacement;
import dev.millrace.expressions.tag.TagTemplate;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What happens at a time of a schedule. */
final class CronRuns {

    /**
     * A time that is late by no more than this is not missed, whatever the starting deadline: a
     * restart, or a move to another process, takes seconds.
     */
    static final Duration GRACE = Duration.ofSeconds(30);

    /** Ten years: longer spans only overflow. */
    private static final long LONGEST_DEADLINE_SECONDS = 315_360_000;

    private CronRuns() {}

    /** What a condition says. */
    enum Verdict {
        YES,
        NO,
        /** It cannot be evaluated; the status says why. */
        BROKEN
    }

    /** When each schedule has its first time after an instant. */
    static Map<String, Instant> nextTimes(CronDefinition definition, Instant after) {
        Map<String, Instant> due = new LinkedHashMap<>();
        definition
                .schedules()
                .forEach((text, schedule) -> schedule.next(after).ifPresent(t -> due.put(text, t)));
        return due;
    }

    /** Runs the last time that has come, if it is not too late, and goes on with the next ones. */
    static void tick(CronDecision decision, CronDefinition definition) {
        Instant now = decision.now();
        Duration horizon = horizon(definition);
        Map<String, Instant> next = new LinkedHashMap<>();
        Instant latest = null;
        Instant missed = null;
        for (Map.Entry<String, CronSchedule> entry : definition.schedules().entrySet()) {
            Instant due = decision.state().due().get(entry.getKey());
            if (due == null) {
                continue;
            }
            if (due.isAfter(now)) {
                next.put(entry.getKey(), due);
                continue;
            }
            CronSchedule schedule = entry.getValue();
            Optional<Instant> time = CronTimes.latest(schedule, due, now, horizon);
            latest = later(latest, time.orElse(null));
            missed = later(missed, time.isEmpty() ? due : null);
            schedule.next(time.orElse(now)).ifPresent(t -> next.put(entry.getKey(), t));
        }
        if (latest != null) {
            run(decision, definition, latest);
        } else if (missed != null) {
            decision.add(new CronEvent.RunSkipped(missed, CronEvent.Reason.MISSED));
        }
        decision.due(next);
    }

    private static Duration horizon(CronDefinition definition) {
        Long seconds = definition.spec().startingDeadlineSeconds();
        Duration deadline =
                Duration.ofSeconds(
                        seconds == null ? 0 : Math.clamp(seconds, 0, LONGEST_DEADLINE_SECONDS));
        return deadline.compareTo(GRACE) > 0 ? deadline : GRACE;
    }

    private static void run(CronDecision decision, CronDefinition definition, Instant time) {
        CronEvent.@Nullable Reason obstacle = obstacle(decision, definition);
        if (obstacle != null) {
            decision.add(new CronEvent.RunSkipped(time, obstacle));
            return;
        }
        CronVariables variables = variables(decision, definition);
        switch (ScheduledWorkflow.scheduled(definition, time, variables)) {
            case ScheduledWorkflow.Outcome.Failed(String message) -> {
                decision.condition(
                        CronMachine.SUBMISSION_ERROR, "Failed to submit Workflow: " + message);
                decision.add(new CronEvent.RunSkipped(time, CronEvent.Reason.INVALID));
            }
            case ScheduledWorkflow.Outcome.Made(var workflow) -> {
                if (definition.concurrency() == CronDefinition.Concurrency.REPLACE) {
                    replace(decision);
                }
                decision.add(
                        new CronEvent.RunOrdered(time, definition.workflowName(time), workflow));
            }
        }
    }

    private static void replace(CronDecision decision) {
        CronState state = decision.state();
        state.active().forEach(r -> decision.add(new CronEvent.TerminationOrdered(r.workflow())));
        // Orders are carried out one after the other, so these are there by then.
        state.pending().forEach(p -> decision.add(new CronEvent.TerminationOrdered(p.workflow())));
    }

    private static CronEvent.@Nullable Reason obstacle(
            CronDecision decision, CronDefinition definition) {
        if (stopIfSaid(decision, definition) == Verdict.BROKEN) {
            return CronEvent.Reason.INVALID;
        }
        if (definition.isSuspended()) {
            return CronEvent.Reason.SUSPENDED;
        }
        if (decision.state().stopped()) {
            return CronEvent.Reason.STOPPED;
        }
        CronEvent.@Nullable Reason reason =
                switch (when(decision, definition)) {
                    case YES -> null;
                    case NO -> CronEvent.Reason.WHEN;
                    case BROKEN -> CronEvent.Reason.INVALID;
                };
        boolean busy =
                !decision.state().active().isEmpty() || !decision.state().pending().isEmpty();
        if (reason == null
                && busy
                && definition.concurrency() == CronDefinition.Concurrency.FORBID) {
            return CronEvent.Reason.FORBID;
        }
        return reason;
    }

    /** Stops it if its stop strategy holds. */
    static Verdict stopIfSaid(CronDecision decision, CronDefinition definition) {
        Verdict verdict = stops(decision, definition);
        if (verdict == Verdict.YES && !decision.state().stopped()) {
            decision.add(new CronEvent.Stopped());
        }
        return verdict;
    }

    /** Whether the stop strategy holds now. */
    static Verdict stops(CronDecision decision, CronDefinition definition) {
        String expression = definition.stopExpression();
        if (expression.isEmpty()) {
            return Verdict.NO;
        }
        CronVariables variables = variables(decision, definition);
        try {
            Object result =
                    ExprProgram.compile(expression, variables.options().asBoolean())
                            .evaluate(variables.environment());
            decision.clear(CronMachine.SPEC_ERROR);
            return Boolean.TRUE.equals(result) ? Verdict.YES : Verdict.NO;
        } catch (ExprSyntaxException | ExprEvaluationException e) {
            decision.condition(
                    CronMachine.SPEC_ERROR,
                    "failed to check CronWorkflow '%s' stopping condition: failed to evaluate stop expression: %s"
                            .formatted(definition.name(), e.getMessage()));
            return Verdict.BROKEN;
        }
    }

    private static Verdict when(CronDecision decision, CronDefinition definition) {
        String when = definition.spec().when() == null ? "" : definition.spec().when();
        return switch (TagTemplate.parse(when)
                .replace(variables(decision, definition), Mode.STRICT, false)) {
            case Replacement.Text(String text, var _) ->
                    switch (WhenCondition.evaluate(text)) {
                        case WhenCondition.Outcome.True() -> Verdict.YES;
                        case WhenCondition.Outcome.False() -> Verdict.NO;
                        case WhenCondition.Outcome.Invalid(String message) ->
                                broken(decision, message);
                    };
            case Replacement.Failed(String message) -> broken(decision, message);
            case Replacement.NotYet(String tag) ->
                    throw new IllegalStateException(tag + " cannot be waited for");
        };
    }

    private static Verdict broken(CronDecision decision, String message) {
        decision.condition(CronMachine.SUBMISSION_ERROR, "run policy error: " + message);
        return Verdict.BROKEN;
    }

    private static CronVariables variables(CronDecision decision, CronDefinition definition) {
        return new CronVariables(definition, decision.state(), decision.now());
    }

    private static @Nullable Instant later(@Nullable Instant a, @Nullable Instant b) {
        if (a == null || b == null) {
            return a == null ? b : a;
        }
        return a.isAfter(b) ? a : b;
    }
}
