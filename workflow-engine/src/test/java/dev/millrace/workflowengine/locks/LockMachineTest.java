package dev.millrace.workflowengine.locks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.record.LockHolder;
import dev.millrace.schemas.record.LockRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class LockMachineTest {
    private static final Instant TIME = Instant.parse("2026-01-01T00:00:00Z");
    private static final String MUTEX = "ns/Mutex/m";
    private static final String OTHER = "ns/Mutex/o";
    private static final String SEMAPHORE = "ns/ConfigMap/limits/most";

    private final LockTable table = new LockTable();
    private final LockMachine machine = new LockMachine(3);

    private static LockHolder holder(String name) {
        return new LockHolder("ns", name, "uid-" + name, null, 0);
    }

    private List<String> ask(String name, int priority, long age, String... locks) {
        return feed(
                new LockInput.Requested(
                        new LockRequest.Acquire(
                                holder(name), List.of(locks), priority, TIME.minusSeconds(age))));
    }

    private List<String> release(String name) {
        return feed(new LockInput.Requested(new LockRequest.Release(holder(name))));
    }

    private List<String> limit(String value) {
        return feed(new LockInput.LimitsChanged("ns", "limits", Map.of("most", value)));
    }

    /** What holders are told, in order; what a decision leaves is done. */
    private List<String> feed(LockInput input) {
        List<String> told = new ArrayList<>();
        for (LockEvent event : machine.decide(table, input)) {
            table.apply(event);
            switch (event) {
                case LockEvent.Granted(var h) -> told.add(h.name() + " has it");
                case LockEvent.Awaited(var h, _, var message) ->
                        told.add(h.name() + ": " + message);
                case LockEvent.Refused(var h, var message) ->
                        told.add(h.name() + " refused: " + message);
                case LockEvent.ToldAgain(var c) -> told.add(c.holder().name() + " again");
                case LockEvent.LimitMissing(var h) -> told.add(h.name() + " has no limit");
                case LockEvent.GrantsLeft _ -> told.addAll(feed(new LockInput.GrantMore()));
                case LockEvent.TellingLeft(var after) ->
                        told.addAll(feed(new LockInput.TellAgain(after)));
                case LockEvent.Asked _, LockEvent.Released _, LockEvent.LimitsSet _ -> {}
            }
        }
        return told;
    }

    @Test
    void aMutexIsForOneAndTheNextOneGetsItWhenItIsFree() {
        assertThat(ask("a", 0, 9, MUTEX)).containsExactly("a has it");
        assertThat(ask("b", 0, 8, MUTEX))
                .containsExactly("b: Waiting for ns/Mutex/m lock. Lock status: 0/1");
        assertThat(ask("c", 0, 7, MUTEX)).hasSize(1);
        assertThat(release("a")).containsExactly("b has it");
        assertThat(release("b")).containsExactly("c has it");
        assertThat(release("c")).isEmpty();
        assertThat(table.claimants()).isEmpty();
        assertThat(table.locks()).isEmpty();
    }

    @Test
    void priorityGoesBeforeAgeAndAgeBeforeArrival() {
        ask("holder", 0, 0, MUTEX);
        ask("young", 0, 1, MUTEX);
        ask("old", 0, 5, MUTEX);
        ask("second", 0, 5, MUTEX);
        ask("high", 7, 0, MUTEX);
        List<String> order = new ArrayList<>(release("holder"));
        for (String name : List.of("high", "old", "second")) {
            order.addAll(release(name));
        }
        assertThat(order)
                .containsExactly("high has it", "old has it", "second has it", "young has it");
    }

    @Test
    void aSemaphoreIsForAsManyAsItsConfigMapSaysAtAnyTime() {
        limit("2");
        assertThat(ask("a", 0, 9, SEMAPHORE)).containsExactly("a has it");
        assertThat(ask("b", 0, 8, SEMAPHORE)).containsExactly("b has it");
        assertThat(ask("c", 0, 7, SEMAPHORE))
                .containsExactly("c: Waiting for ns/ConfigMap/limits/most lock. Lock status: 0/2");
        ask("d", 0, 6, SEMAPHORE);
        assertThat(limit("4")).containsExactly("c has it", "d has it");
        assertThat(limit("1")).isEmpty();
        assertThat(ask("e", 0, 5, SEMAPHORE))
                .containsExactly("e: Waiting for ns/ConfigMap/limits/most lock. Lock status: 0/1");
        release("a");
        release("b");
        assertThat(release("c")).as("d alone is as many as there may be").isEmpty();
        assertThat(release("d")).containsExactly("e has it");
    }

    @Test
    void aLimitOfNoneLetsNobodyIn() {
        limit("0");
        assertThat(ask("a", 0, 9, SEMAPHORE))
                .containsExactly("a: Waiting for ns/ConfigMap/limits/most lock. Lock status: 0/0");
        assertThat(limit(" 1\n")).containsExactly("a has it");
    }

    @Test
    void severalLocksAreGrantedTogetherOrNotAtAll() {
        ask("a", 0, 9, MUTEX);
        assertThat(ask("b", 0, 8, OTHER, MUTEX))
                .containsExactly("b: Waiting for ns/Mutex/m lock. Lock status: 0/1");
        assertThat(table.held(OTHER)).isZero();
        assertThat(ask("c", 0, 7, OTHER))
                .as("it does not overtake b")
                .containsExactly("c: Waiting for ns/Mutex/o lock. Lock status: 1/1");
        assertThat(release("a")).contains("b has it");
        assertThat(release("b")).containsExactly("c has it");
    }

    @Test
    void whoWaitsAndGoesAwayIsInNobodysWay() {
        ask("a", 0, 9, MUTEX);
        ask("b", 0, 8, MUTEX, OTHER);
        ask("c", 0, 7, OTHER);
        assertThat(release("b")).containsExactly("c has it");
    }

    @Test
    void repeatsAreAnsweredAgainAndChangeNothing() {
        ask("a", 0, 9, MUTEX);
        ask("b", 0, 8, MUTEX);
        List<LockClaimant> before = table.claimants();
        assertThat(ask("a", 0, 9, MUTEX)).containsExactly("a again");
        assertThat(ask("b", 0, 8, MUTEX)).containsExactly("b again");
        assertThat(release("nobody")).isEmpty();
        assertThat(table.claimants()).isEqualTo(before);
    }

    @Test
    void allAreToldAgainInPortions() {
        for (int i = 0; i < 7; i++) {
            ask("h" + i, 0, 9, MUTEX);
        }
        assertThat(feed(new LockInput.TellAgain(""))).hasSize(7).doesNotHaveDuplicates();
    }

    @Test
    void aLimitThatIsNotThereIsLookedForAgainAndThenRefused() {
        assertThat(ask("a", 0, 9, SEMAPHORE, MUTEX)).containsExactly("a has no limit");
        assertThat(feed(new LockInput.LookAgain(holder("a").id())))
                .containsExactly(
                        "a refused: the limit of semaphore ns/ConfigMap/limits/most cannot be had: configmaps \"limits\" not found in namespace ns");
        assertThat(table.claimants()).isEmpty();
        feed(new LockInput.LimitsChanged("ns", "limits", Map.of("other", "1")));
        ask("a", 0, 9, SEMAPHORE);
        assertThat(feed(new LockInput.LookAgain(holder("a").id())).toString())
                .contains("ConfigMap limits has no key 'most'");
        for (String wrong :
                List.of("two", "-1", "", "1.5", "99999999999999999999", "x".repeat(9_000))) {
            limit(wrong);
            ask("a", 0, 9, SEMAPHORE);
            assertThat(feed(new LockInput.LookAgain(holder("a").id())).toString())
                    .contains("is not a whole number from 0 on")
                    .hasSizeLessThan(300);
        }
    }

    @Test
    void aLimitThatComesJustAfterTheRequestIsInTime() {
        ask("a", 0, 9, SEMAPHORE);
        ask("b", 0, 8, SEMAPHORE);
        assertThat(limit("1")).containsExactly("a has it");
        assertThat(feed(new LockInput.LookAgain(holder("b").id())))
                .containsExactly("b: Waiting for ns/ConfigMap/limits/most lock. Lock status: 0/1");
        assertThat(feed(new LockInput.LookAgain(holder("a").id()))).isEmpty();
    }

    @Test
    void aLimitThatGoesAwayLetsThoseWaitWhoWait() {
        limit("1");
        ask("a", 0, 9, SEMAPHORE);
        ask("b", 0, 8, SEMAPHORE);
        feed(new LockInput.LimitsChanged("ns", "limits", null));
        assertThat(release("a")).isEmpty();
        assertThat(limit("1")).containsExactly("b has it");
    }

    @Test
    void manyAreGrantedInPortions() {
        limit("0");
        for (int i = 0; i < 20; i++) {
            ask("h" + i, 0, 9, SEMAPHORE);
        }
        assertThat(machine.decide(table, new LockInput.GrantMore())).isEmpty();
        assertThat(limit("17")).filteredOn(t -> t.endsWith("has it")).hasSize(17);
    }
}
