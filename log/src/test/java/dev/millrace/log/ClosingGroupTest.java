package dev.millrace.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ClosingGroupTest {
    private final List<String> closed = new CopyOnWriteArrayList<>();

    @Test
    void allPartsStopAtTheSameTime() {
        CyclicBarrier all = new CyclicBarrier(3);
        ClosingGroup group = new ClosingGroup();
        for (String name : List.of("a", "b", "c")) {
            group.add(
                    name,
                    () -> {
                        // None gets on before all are here.
                        all.await(20, TimeUnit.SECONDS);
                        closed.add(name);
                    });
        }
        group.close();
        assertThat(closed).containsExactlyInAnyOrder("a", "b", "c");
    }

    @Test
    void onePartThatDoesNotStopWellDoesNotKeepTheOthersFromIt() {
        ClosingGroup group = new ClosingGroup();
        group.add("a", () -> closed.add("a"));
        group.add(
                "b",
                () -> {
                    throw new IllegalStateException("b cannot stop");
                });
        group.add("c", () -> closed.add("c"));
        group.close();
        assertThat(closed).containsExactlyInAnyOrder("a", "c");
    }

    @Test
    void aPartStopsOnceAndOneThatComesTooLateAtOnce() {
        ClosingGroup group = new ClosingGroup();
        group.add("a", () -> closed.add("a"));
        group.close();
        group.close();
        group.add("late", () -> closed.add("late"));
        assertThat(closed).containsExactly("a", "late");
    }
}
