package dev.millrace.workflowengine.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.Json;
import dev.millrace.workflowengine.core.WorkflowInput;
import dev.millrace.workflowengine.state.InMemoryWorkflow;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The core and the slow model agree on every node of random workflows after every input. A case
 * that fails is made smaller first; its message has the seed, the manifest, the inputs in order and
 * what differs.
 */
final class ModelTest {
    private static final int CASES = Boolean.getBoolean("soak") ? 100_000 : 2_000;

    @Test
    void theCoreAgreesWithTheModelOnEveryNode() {
        for (long seed = Long.getLong("millrace.model.seed", 0); seed < CASES; seed++) {
            Choices choices = Choices.random(seed);
            Flow flow = RandomFlow.of(choices);
            AssertionError failure = Play.failure(flow, seed, budget(seed));
            if (failure != null) {
                throw smallest(choices.taken(), seed, failure);
            }
        }
    }

    /** Also with locks, hooks, retries, deadlines and shutdowns on the way. */
    @Test
    void foldingAnyPrefixGivesTheStateThatStoodThere() {
        for (long seed = 0; seed < CASES / 4; seed++) {
            CorePlay play = Play.run(RandomFlow.of(Choices.random(seed)), seed, budget(seed));
            CorePlay again = new CorePlay(budget(seed));
            int prefix = 1 + new Random(seed).nextInt(play.history.size());
            for (CorePlay.Decided decided : play.history.subList(0, prefix)) {
                again.decide(decided.input(), decided.now());
            }
            assertThat(again.history)
                    .as("seed %d", seed)
                    .isEqualTo(play.history.subList(0, prefix));
            assertThat(dump(play.folded(prefix)))
                    .as("seed %d, after %d inputs", seed, prefix)
                    .isEqualTo(dump(again.state()));
        }
    }

    /** The same inputs at the same instants, with the work in the smallest portions. */
    @Test
    void portionsMakeNoDifference() {
        for (long seed = 0; seed < CASES / 4; seed++) {
            Flow flow = RandomFlow.of(Choices.random(seed));
            CorePlay whole = Play.run(flow, seed, 1_000_000);
            CorePlay portions = new CorePlay(1);
            for (CorePlay.Decided decided : whole.history) {
                if (!(decided.input() instanceof WorkflowInput.Continue)) {
                    portions.feed(decided.input(), decided.now());
                }
            }
            assertThat(portions.head().phase()).as("seed %d", seed).isEqualTo(whole.head().phase());
            assertThat(Agreement.lines(portions.state()))
                    .as("seed %d", seed)
                    .isEqualTo(Agreement.lines(whole.state()));
        }
    }

    private static List<String> dump(InMemoryWorkflow state) {
        List<String> lines = new ArrayList<>();
        lines.add(Json.tree(Objects.requireNonNull(state.head())).toString());
        for (String id : state.nodes()) {
            lines.add(Json.tree(Objects.requireNonNull(state.node(id))) + " " + state.children(id));
        }
        return lines;
    }

    private static int budget(long seed) {
        return seed % 3 == 0 ? 200 : 1 + (int) (seed % 7);
    }

    /** Leaves out and makes simpler what it can while the case still fails. */
    private static AssertionError smallest(
            List<Integer> choices, long seed, AssertionError failure) {
        List<Integer> best = choices;
        AssertionError last = failure;
        boolean better = true;
        long end = System.nanoTime() + 20_000_000_000L;
        for (int round = 0; better && round < 20; round++) {
            better = false;
            for (int size = 16; size > 0; size /= 2) {
                for (int at = 0; at + size <= best.size(); at++) {
                    for (boolean cut : new boolean[] {true, false}) {
                        if (System.nanoTime() > end) {
                            return smallest(seed, last);
                        }
                        List<Integer> fewer = without(best, at, size, cut);
                        if (fewer == null) {
                            continue;
                        }
                        Choices again = Choices.again(fewer);
                        AssertionError other =
                                Play.failure(RandomFlow.of(again), seed, budget(seed));
                        if (other != null && simpler(again.taken(), best)) {
                            best = again.taken();
                            last = other;
                            better = true;
                        }
                    }
                }
            }
        }
        return smallest(seed, last);
    }

    private static AssertionError smallest(long seed, AssertionError last) {
        return new AssertionError("seed " + seed + ": " + last.getMessage(), last);
    }

    private static boolean simpler(List<Integer> one, List<Integer> other) {
        return one.size() < other.size() || one.size() == other.size() && sum(one) < sum(other);
    }

    private static int sum(List<Integer> all) {
        return all.stream().mapToInt(Integer::intValue).sum();
    }

    private static @Nullable List<Integer> without(
            List<Integer> choices, int at, int size, boolean cut) {
        if (at + size > choices.size()) {
            return null;
        }
        List<Integer> fewer = new ArrayList<>(choices);
        List<Integer> part = fewer.subList(at, at + size);
        if (cut) {
            part.clear();
        } else if (sum(part) == 0) {
            return null;
        } else {
            part.replaceAll(_ -> 0);
        }
        return fewer;
    }
}
