package dev.millrace.workflowengine.model;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.Node;
import dev.millrace.workflowengine.core.WorkflowInput;
import dev.millrace.workflowengine.state.InMemoryWorkflow;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** One random workflow, which is played once and held against every claim. */
record Trial(long seed, List<Integer> choices, @Nullable Failure failure) {

    /** What is claimed of every workflow. */
    enum Claim {
        CORE_AND_MODEL_AGREE,
        ANY_PREFIX_FOLDS_TO_THE_STATE_THAT_STOOD_THERE,
        PORTIONS_MAKE_NO_DIFFERENCE
    }

    record Failure(Claim claim, AssertionError error) {}

    static Trial of(long seed) {
        return of(seed, Choices.random(seed));
    }

    private static Trial of(long seed, Choices choices) {
        Flow flow = RandomFlow.of(choices);
        return new Trial(seed, choices.taken(), failure(flow, seed));
    }

    private static @Nullable Failure failure(Flow flow, long seed) {
        // Most work is cut into small portions, some is done at once.
        int portion = seed % 3 == 0 ? 1_000_000 : 1 + (int) (seed % 7);
        Claim claim = Claim.CORE_AND_MODEL_AGREE;
        try {
            CorePlay play = Play.run(flow, seed, portion);
            claim = Claim.ANY_PREFIX_FOLDS_TO_THE_STATE_THAT_STOOD_THERE;
            folds(play, 1 + new Random(seed).nextInt(play.history.size()), portion);
            claim = Claim.PORTIONS_MAKE_NO_DIFFERENCE;
            worksInPortions(play, portion == 1_000_000 ? 1 : 1_000_000);
            return null;
        } catch (AssertionError e) {
            return new Failure(claim, e);
        } catch (RuntimeException e) {
            return new Failure(claim, new AssertionError(e.toString(), e));
        }
    }

    /**
     * Decided again the inputs come to the same, and so do the events when they are written, read
     * and folded.
     */
    private static void folds(CorePlay play, int prefix, int portion) {
        CorePlay again = new CorePlay(portion);
        for (CorePlay.Decided decided : play.history.subList(0, prefix)) {
            again.decide(decided.input(), decided.now());
        }
        String where = "after " + prefix + " inputs";
        same(where, again.history, play.history.subList(0, prefix));
        same(where, dump(play.folded(prefix)), dump(again.state()));
    }

    /** The same inputs at the same instants, with the work in other portions. */
    private static void worksInPortions(CorePlay play, int portion) {
        CorePlay other = new CorePlay(portion);
        for (CorePlay.Decided decided : play.history) {
            if (!(decided.input() instanceof WorkflowInput.Continue)) {
                other.feed(decided.input(), decided.now());
            }
        }
        same("workflow", other.head().phase(), play.head().phase());
        same("nodes", Agreement.faces(other.state()), Agreement.faces(play.state()));
    }

    private static void same(String what, Object one, Object other) {
        if (!one.equals(other)) {
            throw new AssertionError("%s: %s%nis not %s".formatted(what, one, other));
        }
    }

    private static List<String> dump(InMemoryWorkflow state) {
        List<String> lines = new ArrayList<>();
        lines.add(Json.tree(Objects.requireNonNull(state.head())).toString());
        for (String id : state.nodes()) {
            Node node = Objects.requireNonNull(state.node(id));
            lines.add(Json.tree(node) + " " + state.children(id));
        }
        return lines;
    }

    /** Leaves out and makes simpler what it can while the same claim still fails. */
    Trial smallest() {
        Trial best = this;
        long end = System.nanoTime() + 20_000_000_000L;
        boolean better = true;
        while (better) {
            better = false;
            for (int size = 16; size > 0; size /= 2) {
                for (int at = 0; at + size <= best.choices.size(); at++) {
                    for (boolean cut : new boolean[] {true, false}) {
                        if (System.nanoTime() > end) {
                            return best;
                        }
                        Trial other = best.without(at, size, cut);
                        if (other != null) {
                            best = other;
                            better = true;
                        }
                    }
                }
            }
        }
        return best;
    }

    /** Null if that is not simpler, or does not fail alike. */
    private @Nullable Trial without(int at, int size, boolean cut) {
        if (failure == null || at + size > choices.size()) {
            return null;
        }
        List<Integer> fewer = new ArrayList<>(choices);
        List<Integer> part = fewer.subList(at, at + size);
        if (cut) {
            part.clear();
        } else {
            part.replaceAll(_ -> 0);
        }
        Choices again = Choices.again(fewer);
        Flow flow = RandomFlow.of(again);
        if (!simpler(again.taken(), choices)) {
            return null;
        }
        Failure same = failure(flow, seed);
        return same == null || same.claim() != failure.claim()
                ? null
                : new Trial(seed, again.taken(), same);
    }

    private static boolean simpler(List<Integer> one, List<Integer> other) {
        return one.size() < other.size() || one.size() == other.size() && sum(one) < sum(other);
    }

    private static int sum(List<Integer> all) {
        return all.stream().mapToInt(Integer::intValue).sum();
    }
}
