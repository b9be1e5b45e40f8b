package dev.millrace.workflowengine.topology;

import dev.millrace.log.serde.JsonSerde;
import dev.millrace.log.stream.EntityCore;
import dev.millrace.log.stream.EntryType;
import dev.millrace.log.stream.Input;
import dev.millrace.log.stream.Timer;
import dev.millrace.log.stream.Turn;
import dev.millrace.schemas.record.LockHolder;
import dev.millrace.schemas.record.LockRequest;
import dev.millrace.schemas.record.WorkflowCommand;
import dev.millrace.schemas.record.WorkflowRef;
import dev.millrace.workflowengine.locks.LockClaimant;
import dev.millrace.workflowengine.locks.LockEvent;
import dev.millrace.workflowengine.locks.LockInput;
import dev.millrace.workflowengine.locks.LockMachine;
import dev.millrace.workflowengine.locks.LockTable;
import dev.millrace.workflowengine.locks.WorkflowLimits;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One turn of the locks. All of them are one entity; its claimants and limits are entries, and what
 * follows from them is kept in memory.
 */
final class LockTurns implements EntityCore<LockInput> {
    /** The one entity. */
    static final String ENTITY = LockRequest.KEY;

    private static final EntryType<LockClaimant> CLAIMANT =
            EntryType.of("claimant", LockClaimant.class);
    private static final EntryType<Limits> LIMITS = EntryType.of("limits", Limits.class);
    private static final JsonSerde<WorkflowCommand> COMMANDS = JsonSerde.of(WorkflowCommand.class);

    private static final String GRANT = "grant";
    private static final String TELL = "tell/";
    private static final String LOOK = "look/";

    /**
     * A ConfigMap that was applied just before the workflow comes on another topic, so perhaps a
     * little later. Only what is not there after this time is said to be missing.
     */
    static final Duration LIMITS_MAY_BE_LATE = Duration.ofSeconds(2);

    /** Values of a ConfigMap. */
    record Limits(Map<String, String> data) {
        Limits {
            data = data == null ? Map.of() : data;
        }
    }

    private final LockMachine machine;
    private final WorkflowLimits limits;
    private @Nullable LockTable table;

    LockTurns(LockMachine machine, WorkflowLimits limits) {
        this.machine = machine;
        this.limits = limits;
    }

    @Override
    public void onInput(Input<LockInput> input, Turn turn) {
        decide(input.value(), turn);
    }

    @Override
    public void onTimer(Timer timer, Turn turn) {
        String id = timer.id();
        if (id.startsWith(LOOK)) {
            decide(new LockInput.LookAgain(id.substring(LOOK.length())), turn);
        } else if (id.startsWith(TELL)) {
            decide(new LockInput.TellAgain(id.substring(TELL.length())), turn);
        } else {
            decide(new LockInput.GrantMore(), turn);
        }
    }

    /** The input is a dead letter; the locks stand as the store has them. */
    @Override
    public void onFailure(String entity, String reference, RuntimeException cause, Turn turn) {
        table = null;
    }

    private void decide(LockInput input, Turn turn) {
        LockTable locks = table(turn);
        List<LockEvent> events = machine.decide(locks, input);
        for (LockEvent event : events) {
            locks.apply(event);
            carryOut(event, locks, turn);
        }
    }

    private LockTable table(Turn turn) {
        if (table == null) {
            LockTable read = new LockTable(limits);
            turn.store().scan(ENTITY, CLAIMANT).values().forEach(read::restore);
            turn.store().scan(ENTITY, LIMITS).forEach((name, l) -> read.restore(name, l.data()));
            table = read;
        }
        return table;
    }

    private static void carryOut(LockEvent event, LockTable locks, Turn turn) {
        switch (event) {
            case LockEvent.Asked(var claimant) -> keep(claimant.holder(), locks, turn);
            case LockEvent.Granted(var holder) -> {
                keep(holder, locks, turn);
                answer(new WorkflowCommand.LockGranted(holder), turn);
            }
            case LockEvent.Awaited(var holder, var lock, var message) -> {
                keep(holder, locks, turn);
                answer(new WorkflowCommand.LockWaiting(holder, lock, message), turn);
            }
            case LockEvent.Refused(var holder, var message) -> {
                turn.store().delete(ENTITY, CLAIMANT, holder.id());
                answer(new WorkflowCommand.LockRefused(holder, message), turn);
            }
            case LockEvent.Released(var holder) ->
                    turn.store().delete(ENTITY, CLAIMANT, holder.id());
            case LockEvent.LimitsSet(var namespace, var name, var data) -> {
                String id = namespace + "/" + name;
                if (data == null) {
                    turn.store().delete(ENTITY, LIMITS, id);
                } else {
                    turn.store().put(ENTITY, LIMITS, id, new Limits(data));
                }
            }
            case LockEvent.ToldAgain(var claimant) -> answer(again(claimant), turn);
            case LockEvent.LimitMissing(var holder) ->
                    turn.timers()
                            .set(ENTITY, LOOK + holder.id(), turn.now().plus(LIMITS_MAY_BE_LATE));
            case LockEvent.GrantsLeft _ -> turn.timers().set(ENTITY, GRANT, turn.now());
            case LockEvent.TellingLeft(var after) ->
                    turn.timers().set(ENTITY, TELL + after, turn.now());
        }
    }

    private static void keep(LockHolder holder, LockTable locks, Turn turn) {
        LockClaimant claimant = Objects.requireNonNull(locks.claimant(holder.id()), holder.id());
        turn.store().put(ENTITY, CLAIMANT, holder.id(), claimant);
    }

    private static WorkflowCommand again(LockClaimant claimant) {
        String lock = claimant.awaited();
        String told = claimant.told();
        return claimant.granted() || lock == null || told == null
                ? new WorkflowCommand.LockGranted(claimant.holder())
                : new WorkflowCommand.LockWaiting(claimant.holder(), lock, told);
    }

    private static void answer(WorkflowCommand answer, Turn turn) {
        turn.emit(
                LockTopology.ANSWERS,
                WorkflowRef.key(answer.namespace(), answer.name()),
                COMMANDS,
                answer);
    }
}
