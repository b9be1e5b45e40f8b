package dev.millrace.workflowengine.cron.topology;

import dev.millrace.log.serde.JsonSerde;
import dev.millrace.log.stream.EntityCore;
import dev.millrace.log.stream.EntryType;
import dev.millrace.log.stream.Input;
import dev.millrace.log.stream.Timer;
import dev.millrace.log.stream.Turn;
import dev.millrace.schemas.manifest.Kind;
import dev.millrace.schemas.record.CronOrder;
import dev.millrace.schemas.record.StatusRecord;
import dev.millrace.workflowengine.cron.CronEvent;
import dev.millrace.workflowengine.cron.CronMachine;
import dev.millrace.workflowengine.cron.CronState;
import dev.millrace.workflowengine.cron.CronStatusView;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One turn of a CronWorkflow. Its orders, its timer and its status are read off the events. */
final class CronTurns implements EntityCore<CronMachine.Input> {
    static final String ORDERS = "cron-orders";
    static final String STATUS = "status";

    private static final EntryType<CronState> STATE = EntryType.of("cron", CronState.class);
    private static final JsonSerde<CronOrder> ORDER = JsonSerde.of(CronOrder.class);
    private static final JsonSerde<StatusRecord> STATUSES = JsonSerde.of(StatusRecord.class);
    private static final String TICK = "tick";

    private final CronMachine machine;
    private final CronMeter meter;

    CronTurns(CronMachine machine, CronMeter meter) {
        this.machine = machine;
        this.meter = meter;
    }

    @Override
    public void onInput(Input<CronMachine.Input> input, Turn turn) {
        decide(input.entity(), input.value(), turn);
    }

    @Override
    public void onTimer(Timer timer, Turn turn) {
        decide(timer.entity(), new CronMachine.Input.Tick(), turn);
    }

    @Override
    public void onFailure(String entity, String reference, RuntimeException cause, Turn turn) {
        CronState state = turn.store().get(entity, STATE, "").orElse(null);
        apply(entity, state, machine.decideAfterFailure(state, reference, turn.now()), turn);
    }

    private void decide(String entity, CronMachine.Input input, Turn turn) {
        CronState state = turn.store().get(entity, STATE, "").orElse(null);
        apply(entity, state, machine.decide(state, input, turn.now()), turn);
    }

    private void apply(
            String entity, @Nullable CronState before, List<CronEvent> events, Turn turn) {
        int slash = entity.indexOf('/');
        String namespace = entity.substring(0, slash);
        String name = entity.substring(slash + 1);
        CronState state = before;
        for (CronEvent event : events) {
            CronState at = state;
            state = machine.evolve(state, event);
            effect(namespace, name, uid(at), event, turn);
        }
        if (state == null) {
            turn.store().delete(entity, STATE, "");
            turn.forget();
        } else if (!events.isEmpty()) {
            turn.store().put(entity, STATE, "", state);
        }
        status(namespace, name, before, state, turn);
    }

    private void effect(String namespace, String name, String uid, CronEvent event, Turn turn) {
        String entity = namespace + "/" + name;
        switch (event) {
            case CronEvent.Due(var due) -> wake(entity, due.values(), turn);
            case CronEvent.Removed _ -> turn.timers().cancel(entity, TICK);
            case CronEvent.RunOrdered(Instant time, var _, var workflow) -> {
                meter.run(namespace, name);
                String id = id(namespace, name, uid, Long.toString(time.getEpochSecond()));
                order(new CronOrder.Submit(id, namespace, name, time, workflow), turn);
            }
            case CronEvent.RunSkipped(var _, var reason) ->
                    meter.skipped(namespace, name, reason.name().toLowerCase(Locale.ROOT));
            case CronEvent.RunRefused _ -> meter.refused(namespace, name);
            case CronEvent.TerminationOrdered(String workflow) ->
                    order(
                            new CronOrder.Terminate(
                                    id(namespace, name, uid, "terminate/" + workflow),
                                    namespace,
                                    name,
                                    workflow),
                            turn);
            case CronEvent.DeletionOrdered(CronState.Run run) ->
                    order(
                            new CronOrder.Delete(
                                    id(namespace, name, run.uid(), "delete"),
                                    namespace,
                                    name,
                                    run.workflow()),
                            turn);
            case CronEvent.Defined _,
                    CronEvent.Rescheduled _,
                    CronEvent.RunExists _,
                    CronEvent.WorkflowStarted _,
                    CronEvent.WorkflowEnded _,
                    CronEvent.WorkflowGone _,
                    CronEvent.Stopped _,
                    CronEvent.Restarted _,
                    CronEvent.ConditionSet _,
                    CronEvent.ConditionCleared _ -> {}
        }
    }

    private static void wake(String entity, Collection<Instant> due, Turn turn) {
        Optional<Instant> next = due.stream().min(Comparator.naturalOrder());
        if (next.isPresent()) {
            turn.timers().set(entity, TICK, next.get());
        } else {
            turn.timers().cancel(entity, TICK);
        }
    }

    private static void order(CronOrder order, Turn turn) {
        turn.emit(ORDERS, order.namespace() + "/" + order.cron(), ORDER, order);
    }

    /** The same again for the same order of the same object. */
    private static String id(String namespace, String name, String uid, String what) {
        return "cron/" + namespace + "/" + name + "/" + uid + "/" + what;
    }

    private static String uid(@Nullable CronState state) {
        return state == null || state.manifest() == null
                ? ""
                : state.manifest().path("metadata").path("uid").asString("");
    }

    private static void status(
            String namespace,
            String name,
            @Nullable CronState before,
            @Nullable CronState after,
            Turn turn) {
        String key = Kind.CRON_WORKFLOW.yamlName() + "/" + namespace + "/" + name;
        if (after == null || after.manifest() == null) {
            if (before != null && before.manifest() != null) {
                turn.emit(STATUS, key, null);
            }
            return;
        }
        if (before == null || before.manifest() == null || CronStatusView.differs(before, after)) {
            turn.emit(STATUS, key, STATUSES, CronStatusView.of(namespace, name, after, turn.now()));
        }
    }
}
