package dev.millrace.workflowengine.locks;

import dev.millrace.schemas.record.LockRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * {@code decide} of the locks. Pure. A claimant gets its locks when it is the first in the queue of
 * each of them and each has room: so nobody overtakes an earlier request for the same lock, and
 * since the first of all claimants is the first everywhere, somebody always goes on.
 *
 * <p>Slots of running workflows ({@link WorkflowLimits}) are claimed together with locks, but have
 * no queue: who waits for one is not in the queue of any lock.
 *
 * <p>A limit that sinks takes no lock away; a limit that goes away lets those wait who wait, and
 * refuses who comes.
 */
public final class LockMachine {
    /** So many claimants a decision grants or tells at most; what is left is done by the next. */
    public static final int DEFAULT_BUDGET = 500;

    private final int budget;

    public LockMachine() {
        this(DEFAULT_BUDGET);
    }

    /**
     * @param budget most claimants that one decision grants or tells again
     */
    public LockMachine(int budget) {
        this.budget = budget;
    }

    /**
     * Decides what an input does.
     *
     * @param table the locks as they stand; not changed
     * @return what happened, in order; empty if nothing did
     */
    public List<LockEvent> decide(LockTable table, LockInput input) {
        return switch (input) {
            case LockInput.Requested(LockRequest.Acquire request) -> acquire(table, request);
            case LockInput.Requested(LockRequest.Release(var holder)) -> {
                LockClaimant claimant = table.claimant(holder.id());
                yield claimant == null
                        ? List.of()
                        : gone(table, claimant, new LockEvent.Released(holder));
            }
            case LockInput.LimitsChanged change -> limitsChanged(table, change);
            case LockInput.LookAgain(var id) -> lookAgain(table, id);
            case LockInput.GrantMore _ -> {
                Granting granting = new Granting(table, budget);
                granting.grantAll();
                yield granting.events();
            }
            case LockInput.TellAgain(var after) -> tellAgain(table, after);
        };
    }

    private List<LockEvent> acquire(LockTable table, LockRequest.Acquire request) {
        LockClaimant known = table.claimant(request.holder().id());
        if (known != null) {
            return known.granted() || known.told() != null
                    ? List.of(new LockEvent.ToldAgain(known))
                    : List.of();
        }
        LockClaimant claimant =
                new LockClaimant(
                        request.holder(),
                        request.locks(),
                        request.priority(),
                        request.createdAt(),
                        table.nextNumber(),
                        false,
                        null,
                        null);
        Granting granting = new Granting(table, budget);
        granting.asked(claimant);
        granting.grant(claimant.locks());
        granting.tell(claimant);
        return granting.events();
    }

    private List<LockEvent> gone(LockTable table, LockClaimant claimant, LockEvent event) {
        Granting granting = new Granting(table, budget);
        granting.gone(claimant, event);
        granting.grant(claimant.locks());
        return granting.events();
    }

    private List<LockEvent> limitsChanged(LockTable table, LockInput.LimitsChanged change) {
        Map<String, String> before = table.limits(change.namespace(), change.configMap());
        Map<String, String> after = change.data() == null ? null : LockTable.kept(change.data());
        if (before == null ? after == null : before.equals(after)) {
            return List.of();
        }
        List<LockEvent> events = new ArrayList<>();
        events.add(new LockEvent.LimitsSet(change.namespace(), change.configMap(), after));
        String prefix = change.namespace() + "/ConfigMap/" + change.configMap() + "/";
        if (table.locks().stream().anyMatch(lock -> lock.startsWith(prefix))) {
            // With the new limits, so in a decision of its own.
            events.add(new LockEvent.GrantsLeft());
        }
        return events;
    }

    private List<LockEvent> lookAgain(LockTable table, String id) {
        LockClaimant claimant = table.claimant(id);
        if (claimant == null || claimant.granted()) {
            return List.of();
        }
        for (String lock : claimant.locks()) {
            if (table.limit(lock) instanceof LockLimit.Broken(var message)) {
                return gone(table, claimant, new LockEvent.Refused(claimant.holder(), message));
            }
        }
        Granting granting = new Granting(table, budget);
        granting.tell(claimant);
        return granting.events();
    }

    private List<LockEvent> tellAgain(LockTable table, String after) {
        List<LockEvent> events = new ArrayList<>();
        List<LockClaimant> portion = table.after(after, budget);
        portion.stream()
                .filter(c -> c.granted() || c.told() != null)
                .forEach(c -> events.add(new LockEvent.ToldAgain(c)));
        if (portion.size() == budget) {
            events.add(new LockEvent.TellingLeft(portion.getLast().id()));
        }
        return events;
    }
}
