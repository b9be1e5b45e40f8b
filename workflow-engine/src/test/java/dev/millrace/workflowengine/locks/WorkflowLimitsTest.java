package dev.millrace.workflowengine.locks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.record.LockHolder;
import dev.millrace.schemas.record.LockRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How many workflows run, and who is next. */
final class WorkflowLimitsTest {
    private static final Instant TIME = Instant.parse("2026-01-01T00:00:00Z");
    private static final String MUTEX = "ns/Mutex/m";
    private static final String TOO_MANY = ": " + WorkflowLimits.MESSAGE;
    private static final String LOCKED = ": Waiting for ns/Mutex/m lock. Lock status: 0/1";

    private final LockMachine machine = new LockMachine(3);
    private LockTable table = new LockTable();

    private void limits(int all, int perNamespace) {
        LockTable changed = new LockTable(new WorkflowLimits(all, perNamespace));
        table.claimants().forEach(changed::restore);
        table = changed;
    }

    private static LockHolder holder(String name) {
        String[] parts = name.split("/");
        return new LockHolder(parts[0], parts[1], "uid", null, 0);
    }

    private List<String> workflow(String name, int priority, long age, String... locks) {
        List<String> all = new ArrayList<>(WorkflowLimits.slots(name.split("/")[0]));
        all.addAll(List.of(locks));
        return ask(holder(name), all, priority, age);
    }

    private List<String> node(String name, long age, String... locks) {
        return ask(holder(name), List.of(locks), 0, age);
    }

    private List<String> ask(LockHolder holder, List<String> locks, int priority, long age) {
        return feed(
                new LockInput.Requested(
                        new LockRequest.Acquire(holder, locks, priority, TIME.minusSeconds(age))));
    }

    private List<String> release(String name) {
        return feed(new LockInput.Requested(new LockRequest.Release(holder(name))));
    }

    private List<String> feed(LockInput input) {
        List<String> told = new ArrayList<>();
        for (LockEvent event : machine.decide(table, input)) {
            table.apply(event);
            switch (event) {
                case LockEvent.Granted(var h) -> told.add(h.key());
                case LockEvent.Awaited(var h, _, var message) -> told.add(h.key() + ": " + message);
                case LockEvent.GrantsLeft _ -> told.addAll(feed(new LockInput.GrantMore()));
                case LockEvent.Refused _,
                        LockEvent.ToldAgain _,
                        LockEvent.LimitMissing _,
                        LockEvent.TellingLeft _,
                        LockEvent.Asked _,
                        LockEvent.Released _,
                        LockEvent.LimitsSet _ -> {}
            }
        }
        return told;
    }

    @Test
    void soManyRunAndTheNextIsTheOneOfHighestPriorityThenTheOldest() {
        limits(2, 0);
        assertThat(workflow("ns/a", 0, 9)).containsExactly("ns/a");
        assertThat(workflow("other/b", 0, 8)).containsExactly("other/b");
        assertThat(workflow("ns/young", 0, 1)).containsExactly("ns/young" + TOO_MANY);
        workflow("ns/old", 0, 7);
        workflow("ns/high", 5, 0);
        assertThat(release("ns/a")).containsExactly("ns/high");
        assertThat(release("ns/high")).containsExactly("ns/old");
        assertThat(release("ns/old")).containsExactly("ns/young");
        assertThat(release("other/b")).isEmpty();
        assertThat(release("ns/young")).isEmpty();
        assertThat(table.locks()).isEmpty();
    }

    @Test
    void aNamespaceThatIsFullHoldsUpNoOtherOne() {
        limits(2, 1);
        workflow("ns/a", 0, 9);
        assertThat(workflow("ns/b", 0, 8)).containsExactly("ns/b" + TOO_MANY);
        assertThat(workflow("other/c", 0, 7)).containsExactly("other/c");
        assertThat(workflow("third/d", 0, 6)).containsExactly("third/d" + TOO_MANY);
        assertThat(release("other/c"))
                .as("b is older, but its namespace is full")
                .containsExactly("third/d");
        assertThat(release("ns/a")).containsExactly("ns/b");
    }

    @Test
    void whoWaitsForALockTakesNoSlot() {
        limits(2, 0);
        workflow("ns/a", 0, 9, MUTEX);
        assertThat(workflow("ns/b", 0, 8, MUTEX)).containsExactly("ns/b" + LOCKED);
        workflow("ns/c", 0, 7, MUTEX);
        assertThat(workflow("ns/d", 0, 6)).containsExactly("ns/d");
        assertThat(workflow("ns/e", 0, 5)).containsExactly("ns/e" + TOO_MANY);
        assertThat(release("ns/a")).as("with the slot and the lock of a").containsExactly("ns/b");
        assertThat(release("ns/d")).as("c is older, but b has the lock").containsExactly("ns/e");
    }

    @Test
    void whoWaitsForASlotKeepsNobodyFromALock() {
        limits(1, 0);
        workflow("ns/a", 0, 9);
        assertThat(workflow("ns/b", 0, 8, MUTEX)).containsExactly("ns/b" + TOO_MANY);
        assertThat(node("ns/a-node", 7, MUTEX)).as("a runs on").containsExactly("ns/a-node");
        assertThat(release("ns/a"))
                .as("there is a slot, but no lock")
                .containsExactly("ns/b" + LOCKED);
        assertThat(release("ns/a-node")).containsExactly("ns/b");
    }

    @Test
    void whoCouldHaveASlotAndLosesItLetsOthersHaveTheLocksThatItWantsAsWell() {
        limits(2, 0);
        workflow("ns/a", 0, 9);
        node("ns/n", 9, "ns/Mutex/n");
        assertThat(workflow("ns/b", 0, 8, MUTEX, "ns/Mutex/n")).hasSize(1);
        assertThat(node("ns/later", 7, MUTEX)).as("b is the first for it").hasSize(1);
        assertThat(workflow("ns/c", 0, 6))
                .as("no slot is left for b")
                .containsExactly("ns/c", "ns/later");
    }

    @Test
    void aLimitThatIsChangedTakesNothingAwayAndHoldsForThoseWhoWait() {
        workflow("ns/a", 0, 9);
        workflow("ns/b", 0, 8);
        limits(1, 0);
        assertThat(workflow("ns/c", 0, 7)).containsExactly("ns/c" + TOO_MANY);
        assertThat(release("ns/a")).as("b alone is as many as there may be").isEmpty();
        workflow("ns/d", 0, 6);
        limits(2, 0);
        assertThat(feed(new LockInput.GrantMore())).containsExactly("ns/c");
        limits(0, 0);
        assertThat(feed(new LockInput.GrantMore())).containsExactly("ns/d");
    }

    @Test
    void aLockOfANamespaceWithTheNameOfASlotIsALock() {
        assertThat(WorkflowLimits.slots("ns")).allMatch(WorkflowLimits::isSlot);
        assertThat(WorkflowLimits.isSlot("workflows/Mutex/m")).isFalse();
        assertThat(WorkflowLimits.isSlot("workflows-of-us/Mutex/m")).isFalse();
    }
}
