package dev.millrace.workflowengine.simulation;

import dev.millrace.schemas.record.LockRequest;
import dev.millrace.schemas.record.WorkflowCommand;
import dev.millrace.workflowengine.locks.LockClaimant;
import dev.millrace.workflowengine.locks.LockEvent;
import dev.millrace.workflowengine.locks.LockInput;
import dev.millrace.workflowengine.locks.LockMachine;
import dev.millrace.workflowengine.locks.LockTable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/** The locks of one workflow that is alone in the world. */
public final class SimulatedLocks {

    private final LockMachine machine = new LockMachine();
    private final LockTable table = new LockTable();

    /**
     * @param limits values of ConfigMaps by {@code namespace/name}
     */
    public SimulatedLocks(Map<String, Map<String, String>> limits) {
        limits.forEach(table::restore);
    }

    /** What holders are told because of a request. */
    public List<WorkflowCommand.LockAnswer> answers(LockRequest request) {
        List<WorkflowCommand.LockAnswer> answers = new ArrayList<>();
        Deque<LockInput> inputs = new ArrayDeque<>();
        inputs.add(new LockInput.Requested(request));
        while (!inputs.isEmpty()) {
            for (LockEvent event : machine.decide(table, inputs.poll())) {
                table.apply(event);
                switch (event) {
                    case LockEvent.Granted(var holder) ->
                            answers.add(new WorkflowCommand.LockGranted(holder));
                    case LockEvent.Awaited(var holder, var lock, var message) ->
                            answers.add(new WorkflowCommand.LockWaiting(holder, lock, message));
                    case LockEvent.Refused(var holder, var message) ->
                            answers.add(new WorkflowCommand.LockRefused(holder, message));
                    // Nobody will make the ConfigMap later: a second look says so at once.
                    case LockEvent.LimitMissing(var holder) ->
                            inputs.add(new LockInput.LookAgain(holder.id()));
                    case LockEvent.GrantsLeft _ -> inputs.add(new LockInput.GrantMore());
                    case LockEvent.Asked _,
                            LockEvent.Released _,
                            LockEvent.LimitsSet _,
                            LockEvent.ToldAgain _,
                            LockEvent.TellingLeft _ -> {}
                }
            }
        }
        return answers;
    }

    /** Who has locks or waits for them. */
    public List<LockClaimant> claimants() {
        return table.claimants();
    }
}
