package dev.millrace.workflowengine.topology;

import dev.millrace.log.serde.JsonSerde;
import dev.millrace.log.stream.EntityCore;
import dev.millrace.log.stream.EntryType;
import dev.millrace.log.stream.Input;
import dev.millrace.log.stream.Timer;
import dev.millrace.log.stream.Turn;
import dev.millrace.schemas.record.CommandAnswer;
import dev.millrace.schemas.record.SourceParts;
import dev.millrace.schemas.record.WorkflowCommand;
import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.schemas.record.WorkflowHead;
import dev.millrace.schemas.record.WorkflowRef;
import dev.millrace.schemas.record.WorkflowSource;
import dev.millrace.schemas.record.WorkflowStage;
import dev.millrace.schemas.record.WorkflowTransition;
import dev.millrace.workflowengine.core.WorkflowInput;
import dev.millrace.workflowengine.state.Evolution;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One turn of a workflow: load what the core asks for, let it decide, apply and write what it said.
 * Used by one stream thread.
 */
final class WorkflowTurns implements EntityCore<EngineInput> {
    static final EntryType<WrittenLog> LOG = EntryType.of("log", WrittenLog.class);

    private static final JsonSerde<WorkflowTransition> TRANSITIONS =
            JsonSerde.of(WorkflowTransition.class);
    private static final int SOURCES = 256;

    /** A tree takes some ten times the memory of its text in the store. */
    private static final long CHARACTERS_OF_SOURCES = 4_000_000;

    /** The gRPC code for a fault of the server. */
    private static final int INTERNAL = 13;

    /**
     * For how long the answer to a command for an unknown workflow can be read; callers wait for
     * seconds.
     */
    private static final Duration REJECTED_KEPT = Duration.ofDays(1);

    private final Decisions core;
    private final EntryKeys keys;
    private final Erasure erasure = new Erasure();
    private final Submissions submissions = new Submissions();
    private final RecentSources sources = new RecentSources(SOURCES, CHARACTERS_OF_SOURCES);
    private final Duration markerKept;
    private final EngineMeter meter;
    private final MetricTotals metrics;

    /** The record of the present turn; absent in turns of timers. */
    private @Nullable EngineInput current;

    /**
     * @param partition whose workflows these are
     */
    WorkflowTurns(Decisions core, EntryKeys keys, EngineOptions options, int partition) {
        this.core = core;
        this.keys = keys;
        this.markerKept = options.markerKept();
        this.meter = options.meter();
        this.metrics = new MetricTotals(partition);
    }

    @Override
    public void onInput(Input<EngineInput> input, Turn turn) {
        meter.input();
        current = input.value();
        WorkflowInput one = input.value().forWorkflow(input.entity());
        if (one instanceof WorkflowInput.Command(WorkflowCommand.SubmitPart part)) {
            submissions.take(input.entity(), part, turn);
        } else if (one instanceof WorkflowInput.Command(WorkflowCommand.Submit submit)
                && submit.parts() != null) {
            submit(input.entity(), submit, turn);
        } else {
            decide(input.entity(), one, turn);
        }
    }

    private void submit(String entity, WorkflowCommand.Submit submit, Turn turn) {
        WorkflowInput whole = submissions.whole(entity, submit, turn);
        if (whole != null) {
            decide(entity, whole, turn);
            return;
        }
        CommandAnswer answer =
                new CommandAnswer(
                        submit.commandId(),
                        CommandAnswer.FAILED_PRECONDITION,
                        "not all %d parts of the workflow have come; submit it again"
                                .formatted(submit.parts()));
        write(
                entity,
                state(entity, turn),
                List.of(new WorkflowEvent.CommandAnswered(answer)),
                turn);
    }

    @Override
    public void onTimer(Timer timer, Turn turn) {
        meter.input();
        current = null;
        String entity = timer.entity();
        switch (timer.id()) {
            case OwnTimers.CONTINUE -> decide(entity, new WorkflowInput.Continue(), turn);
            case OwnTimers.ERASE -> erasure.portion(entity, turn);
            case OwnTimers.FORGET -> forget(entity, turn);
            case OwnTimers.REJECTED -> {
                turn.emit(EngineTopology.EVENTS, TransitionKeys.rejected(entity), null);
                if (state(entity, turn).head() == null) {
                    turn.forget();
                }
            }
            case OwnTimers.ABANDON -> abandonMore(entity, turn);
            case OwnTimers.UPLOADS -> {
                submissions.forget(entity, turn);
                if (state(entity, turn).head() == null) {
                    turn.forget();
                }
            }
            default -> decide(entity, new WorkflowInput.TimerFired(timer.id()), turn);
        }
    }

    @Override
    public void onFailure(String entity, String reference, RuntimeException cause, Turn turn) {
        meter.failure();
        EngineInput failed = current;
        current = null;
        StoreWorkflowState state = state(entity, turn);
        WorkflowHead head = state.head();
        if (cause instanceof MisaddressedException) {
            if (head == null) {
                turn.forget();
            }
            return;
        }
        String message =
                "the engine could not handle %s: see dead letter %s"
                        .formatted(what(failed), reference);
        List<WorkflowEvent> events = new ArrayList<>();
        if (failed instanceof EngineInput.Command(var command)) {
            events.add(
                    new WorkflowEvent.CommandAnswered(
                            new CommandAnswer(command.commandId(), INTERNAL, message)));
        }
        if (head != null && Abandonment.concerns(head)) {
            turn.timers().cancelAll(entity);
            turn.timers().set(entity, OwnTimers.ABANDON, turn.now());
            events.addAll(Abandonment.begin(state, message, turn.now()));
        }
        write(entity, state, events, turn);
    }

    private static String what(@Nullable EngineInput input) {
        return switch (input) {
            case EngineInput.Command(var command) -> "the command " + command.commandId();
            case EngineInput.Report(var report) -> "the result of step " + report.stepId();
            case null -> "a timer of the workflow";
        };
    }

    private void decide(String entity, WorkflowInput input, Turn turn) {
        StoreWorkflowState state = state(entity, turn);
        WorkflowName name = WorkflowName.of(entity);
        List<WorkflowEvent> events =
                core.decide(state, name.namespace(), name.name(), input, turn.now());
        write(entity, state, events, turn);
        WorkflowHead head = state.head();
        // A turn to go on that did nothing would do nothing again; the next input takes the work
        // up.
        boolean stuck = input instanceof WorkflowInput.Continue && events.isEmpty();
        if (head != null
                && wantsToGoOn(head)
                && !stuck
                && turn.timers().due(entity, OwnTimers.CONTINUE).isEmpty()) {
            turn.timers().set(entity, OwnTimers.CONTINUE, turn.now());
        }
    }

    private static boolean wantsToGoOn(WorkflowHead head) {
        return !head.work().isEmpty() && head.stage() != WorkflowStage.DONE && head.mayWork();
    }

    private void write(
            String entity, StoreWorkflowState state, List<WorkflowEvent> events, Turn turn) {
        WorkflowName name = WorkflowName.of(entity);
        if (events.isEmpty()) {
            if (state.head() == null) {
                turn.forget();
            }
            return;
        }
        StoreWorkflowState before = state(entity, turn);
        events.forEach(e -> Evolution.apply(state, name.namespace(), name.name(), e));
        WorkflowHead head = state.head();
        Effects effects = new Effects(turn, entity, markerKept, metrics);
        if (head == null && giveBack(events, effects)) {
            turn.forget();
            return;
        }
        if (head == null) {
            // Readers must see the answer; there is no workflow whose history it could belong to.
            emit(
                    TransitionKeys.rejected(entity),
                    TRANSITIONS.encode(
                            new WorkflowTransition(
                                    name.namespace(), name.name(), "", 0, turn.now(), events)),
                    events.size(),
                    turn);
            turn.timers().set(entity, OwnTimers.REJECTED, turn.now().plus(REJECTED_KEPT));
            return;
        }
        WrittenLog log =
                emit(
                        turn.store().get(entity, LOG, "").orElse(WrittenLog.EMPTY),
                        head,
                        state,
                        events,
                        turn);
        effects.carryOut(events, head, before);
        boolean deleted = events.stream().anyMatch(WorkflowEvent.Deleted.class::isInstance);
        turn.store().put(entity, LOG, "", deleted ? log.deleted() : log);
        state.flush();
    }

    /** Whether all that happened is that locks for a workflow that is not there are given back. */
    private static boolean giveBack(List<WorkflowEvent> events, Effects effects) {
        boolean all = true;
        for (WorkflowEvent event : events) {
            if (event instanceof WorkflowEvent.LocksReleased(var holder)) {
                effects.release(holder);
            } else {
                all = false;
            }
        }
        return all;
    }

    /** Writes what happened, in several records if it is much. */
    private WrittenLog emit(
            WrittenLog before,
            WorkflowHead head,
            StoreWorkflowState state,
            List<WorkflowEvent> events,
            Turn turn) {
        WrittenLog log = before.next();
        byte[] whole = TRANSITIONS.encode(transition(head, log, turn, events));
        WorkflowSource source = state.source();
        if (whole.length <= SourceParts.LARGEST_VALUE || source == null) {
            emit(head, log, whole, events.size(), turn);
            return log;
        }
        log = before;
        for (List<WorkflowEvent> part : RecordParts.of(events, source)) {
            log = log.next();
            byte[] record = TRANSITIONS.encode(transition(head, log, turn, part));
            emit(head, log, record, part.size(), turn);
        }
        return log;
    }

    private static WorkflowTransition transition(
            WorkflowHead head, WrittenLog log, Turn turn, List<WorkflowEvent> events) {
        return new WorkflowTransition(
                head.namespace(), head.name(), head.uid(), log.last(), turn.now(), events);
    }

    private void emit(WorkflowHead head, WrittenLog log, byte[] record, int events, Turn turn) {
        String entity = WorkflowRef.key(head.namespace(), head.name());
        emit(TransitionKeys.of(entity, log.last()), record, events, turn);
    }

    private void emit(String key, byte[] record, int events, Turn turn) {
        turn.emit(
                EngineTopology.EVENTS,
                key,
                RecordSize.checked("a transition of the workflow", record));
        meter.transition(events);
    }

    private void abandonMore(String entity, Turn turn) {
        StoreWorkflowState state = state(entity, turn);
        WorkflowHead head = state.head();
        if (head == null || head.stage() != WorkflowStage.DONE) {
            return;
        }
        List<WorkflowEvent> events =
                Abandonment.nodes(state, String.valueOf(head.message()), turn.now());
        write(entity, state, events, turn);
        if (!events.isEmpty()) {
            turn.timers().set(entity, OwnTimers.ABANDON, turn.now());
        }
    }

    private void forget(String entity, Turn turn) {
        WorkflowHead head = state(entity, turn).head();
        if (head != null && head.stage() == WorkflowStage.DELETED) {
            erasure.everything(entity, turn);
        }
    }

    private StoreWorkflowState state(String entity, Turn turn) {
        return new StoreWorkflowState(turn.store(), keys, sources, entity);
    }
}
