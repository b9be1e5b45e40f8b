package dev.millrace.workflowengine.core;

import static dev.millrace.workflowengine.core.WorkflowPropertiesTest.RUNS;
import static dev.millrace.workflowengine.core.WorkflowPropertiesTest.advance;
import static dev.millrace.workflowengine.core.WorkflowPropertiesTest.grant;
import static dev.millrace.workflowengine.core.WorkflowPropertiesTest.locks;
import static dev.millrace.workflowengine.core.WorkflowPropertiesTest.open;
import static dev.millrace.workflowengine.core.WorkflowPropertiesTest.play;
import static dev.millrace.workflowengine.core.WorkflowPropertiesTest.redecide;
import static dev.millrace.workflowengine.core.WorkflowPropertiesTest.refold;
import static dev.millrace.workflowengine.core.WorkflowPropertiesTest.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.NodeType;
import dev.millrace.schemas.record.WorkflowPhase;
import dev.millrace.schemas.record.WorkflowStage;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What holds for every retry of a workflow. The seed stands in the message. */
final class RetryPropertiesTest {

    /**
     * A workflow that failed, retried with steps that succeed now, succeeds; it runs no step that
     * had succeeded, but for those that come after one that had not.
     */
    @Test
    void aRetryRunsWhatHadNotSucceededAndWhatComesAfterIt() {
        int retried = 0;
        for (int seed = 0; seed < RUNS; seed++) {
            Scenario s = play(seed, 1 + seed % 7);
            if (s.head().phase() == WorkflowPhase.SUCCEEDED) {
                continue;
            }
            Scenario well = wellPlayed(seed);
            if (well.head().phase() != WorkflowPhase.SUCCEEDED) {
                continue; // It fails whatever its steps do.
            }
            retried++;
            Set<String> done = succeededSteps(s);
            Set<String> after = behindFailures(s);
            List<String> failed = failed(s);
            int before = s.requests().size();
            s.retry();
            assertThat(s.lastAnswer().accepted()).as("seed %d", seed).isTrue();
            finishWell(s);
            assertThat(s.head().phase())
                    .as(
                            "seed %d: %s, open %s, failed %s",
                            seed, s.head().message(), open(s), failed(s))
                    .isEqualTo(WorkflowPhase.SUCCEEDED);
            assertThat(s.state().openNodes()).as("seed %d", seed).isEmpty();
            assertThat(s.head().activeSteps()).as("seed %d", seed).isZero();
            assertThat(s.claimants()).as("seed %d", seed).isEmpty();
            List<String> again = s.requests().subList(before, s.requests().size());
            assertThat(again).as("seed %d", seed).doesNotHaveDuplicates();
            assertThat(again.stream().filter(done::contains).filter(n -> !after.contains(n)))
                    .as(
                            "seed %d: ran again though they had succeeded; failed were %s",
                            seed, failed)
                    .isEmpty();
            sameShape(s, well, seed);
            refold(s, seed);
            redecide(s, seed, 1 + seed % 7);
            linked(s, seed);
        }
        assertThat(retried).isGreaterThan(RUNS / 10);
    }

    @Test
    void portionsMakeNoDifferenceToARetry() {
        for (int seed = 0; seed < RUNS; seed++) {
            Scenario whole = play(seed, WorkflowMachine.DEFAULT_BUDGET);
            if (whole.head().phase() == WorkflowPhase.SUCCEEDED) {
                continue;
            }
            Scenario portions = play(seed, 1);
            whole.retry();
            portions.retry();
            finish(whole, seed + 1);
            finish(portions, seed + 1);
            assertThat(tree(portions)).as("seed %d", seed).hasSameElementsAs(tree(whole));
        }
    }

    /** Also when it is stopped before, and at any time after. */
    @Test
    void aStoppedWorkflowCanBeRetriedAndStoppedAgain() {
        int compared = 0;
        for (int seed = 0; seed < RUNS; seed++) {
            Random random = new Random(seed);
            Scenario s =
                    Scenario.given(
                            new RandomWorkflow(random, locks(seed)).spec(), 1 + random.nextInt(5));
            Scenario well = wellPlayed(seed);
            for (int round = 0; round < 3; round++) {
                int steps = random.nextInt(12);
                for (int i = 0; i < steps && s.head().stage() != WorkflowStage.DONE; i++) {
                    advance(s, seed + round);
                }
                if (random.nextBoolean()) {
                    s.stop();
                } else {
                    s.terminate();
                }
                finish(s, seed);
                assertThat(s.head().stage())
                        .as("seed %d, round %d: open %s", seed, round, open(s))
                        .isEqualTo(WorkflowStage.DONE);
                assertThat(open(s)).as("seed %d, round %d", seed, round).isEmpty();
                assertThat(s.claimants()).as("seed %d, round %d", seed, round).isEmpty();
                if (s.head().phase() == WorkflowPhase.SUCCEEDED) {
                    break;
                }
                s.retry();
            }
            if (s.head().stage() != WorkflowStage.DONE
                    && well.head().phase() == WorkflowPhase.SUCCEEDED) {
                finishWell(s);
                assertThat(s.head().phase())
                        .as("seed %d: %s, open %s", seed, s.head().message(), open(s))
                        .isEqualTo(WorkflowPhase.SUCCEEDED);
                // What errs for want of an artifact of a sibling may find it there in a later run.
                if (failed(well).stream().noneMatch(f -> f.contains("artifact"))) {
                    compared++;
                    sameShape(s, well, seed);
                }
            }
            refold(s, seed);
        }
        assertThat(compared).isGreaterThan(10);
    }

    private static Scenario wellPlayed(int seed) {
        Scenario s = Scenario.given(new RandomWorkflow(new Random(seed), locks(seed)).spec());
        finishWell(s);
        return s;
    }

    private static void finishWell(Scenario s) {
        for (int i = 0; i < 5_000 && s.head().stage() != WorkflowStage.DONE; i++) {
            if (grant(s)) {
                continue;
            }
            List<String> running = s.running().stream().sorted().toList();
            if (running.isEmpty()) {
                s.after(Duration.ofSeconds(5));
            } else {
                s.gives(running.getFirst(), "\"1\"", Map.of("out", "1"));
            }
        }
    }

    private static void finish(Scenario s, int seed) {
        for (int i = 0; i < 5_000 && s.head().stage() != WorkflowStage.DONE; i++) {
            advance(s, seed);
        }
    }

    /**
     * Names of the leaves that succeeded; attempts stand for the node that they are attempts of.
     */
    private static Set<String> succeededSteps(Scenario s) {
        Set<String> names = new TreeSet<>();
        for (String id : s.state().nodes()) {
            Node node = s.state().node(id);
            if (node.type() == NodeType.POD && node.phase() == NodePhase.SUCCEEDED) {
                names.add(node.name());
            }
        }
        return names;
    }

    /**
     * What hangs, directly or not, below a node that failed, and what belongs to hooks: hooks of
     * nodes that are done again are too.
     */
    private static Set<String> behindFailures(Scenario s) {
        Set<String> names = new TreeSet<>();
        Deque<String> queue = new ArrayDeque<>();
        for (String id : s.state().nodes()) {
            Node node = s.state().node(id);
            boolean leaf =
                    node.type() == NodeType.POD
                            || node.type() == NodeType.SKIPPED
                            || node.type() == NodeType.SUSPEND;
            if (leaf && node.phase().failedOrError() || inHook(s, node) || inOldAttempt(s, node)) {
                queue.add(id);
                // What follows an attempt with others below it hangs below the attempt itself.
                for (Node at = node; at != null; at = owner(s, at)) {
                    if (at.type() == NodeType.STEP_GROUP) {
                        names.addAll(laterGroups(s, at));
                    }
                    if (at.attempt()) {
                        for (String child : s.state().children(at.id())) {
                            if (!at.id().equals(s.state().node(child).boundaryId())) {
                                queue.add(child);
                            }
                        }
                    }
                }
            }
        }
        Set<String> seen = new HashSet<>();
        while (!queue.isEmpty()) {
            String id = queue.poll();
            if (seen.add(id)) {
                names.add(s.state().node(id).name());
                queue.addAll(s.state().children(id));
                // A Retry node's followers hang below its last attempt; a failed attempt fails it.
                Node node = s.state().node(id);
                if (node.attempt() && node.ownerId() != null) {
                    queue.addAll(s.state().children(node.ownerId()));
                }
            }
        }
        return names;
    }

    /** By name: below a node that failFast ended nothing is hung. */
    private static List<String> laterGroups(Scenario s, Node group) {
        int bracket = group.name().lastIndexOf('[');
        String steps = group.name().substring(0, bracket + 1);
        int index =
                Integer.parseInt(group.name().substring(bracket + 1, group.name().length() - 1));
        return s.state().nodes().stream()
                .map(id -> s.state().node(id).name())
                .filter(
                        n ->
                                n.startsWith(steps)
                                        && Integer.parseInt(
                                                        n.substring(
                                                                steps.length(),
                                                                n.indexOf(']', steps.length())))
                                                > index)
                .toList();
    }

    private static boolean inHook(Scenario s, Node node) {
        for (Node at = node; at != null; at = owner(s, at)) {
            if (at.hooked()) {
                return true;
            }
        }
        return false;
    }

    /** Attempts before the last one go with everything in them. */
    private static boolean inOldAttempt(Scenario s, Node node) {
        for (Node at = node; at != null; at = owner(s, at)) {
            Node retry = owner(s, at);
            if (at.attempt() && retry != null) {
                List<String> attempts =
                        s.state().children(retry.id()).stream()
                                .filter(c -> s.state().node(c).attempt())
                                .toList();
                if (!attempts.getLast().equals(at.id())) {
                    return true;
                }
            }
        }
        return false;
    }

    private static @Nullable Node owner(Scenario s, Node node) {
        return node.ownerId() == null ? null : s.state().node(node.ownerId());
    }

    /**
     * Names, types and phases of what there is; which attempt it was that succeeded is left out.
     */
    private static Set<String> shape(Scenario s) {
        Set<String> shape = new TreeSet<>();
        for (String id : s.state().nodes()) {
            Node node = s.state().node(id);
            if (!inOldAttempt(s, node) && !inHook(s, node)) {
                shape.add(bare(s, node) + " " + node.type() + " " + node.phase());
            }
        }
        return shape;
    }

    private static void sameShape(Scenario s, Scenario well, int seed) {
        Set<String> missing = shape(well);
        missing.removeAll(shape(s));
        Set<String> more = shape(s);
        more.removeAll(shape(well));
        assertThat(more)
                .as("seed %d, more than without failures; missing %s", seed, missing)
                .isEmpty();
        assertThat(missing).as("seed %d, missing", seed).isEmpty();
    }

    private static String bare(Scenario s, Node node) {
        String name = node.name();
        for (Node at = node; at != null; at = owner(s, at)) {
            if (at.attempt()) {
                name =
                        at.name().replaceFirst("\\(\\d+\\)$", "(n)")
                                + name.substring(at.name().length());
            }
        }
        return name;
    }

    /** Every child exists and hangs once below its parent; every node has its owner. */
    private static void linked(Scenario s, int seed) {
        for (String id : s.state().nodes()) {
            assertThat(s.state().children(id))
                    .as("seed %d, children of %s", seed, s.state().node(id).name())
                    .doesNotHaveDuplicates()
                    .allMatch(c -> s.state().node(c) != null);
            Node node = s.state().node(id);
            assertThat(node.ownerId() == null || owner(s, node) != null)
                    .as("seed %d: %s has its owner", seed, node.name())
                    .isTrue();
        }
    }

    private static List<String> failed(Scenario s) {
        return s.state().nodes().stream()
                .map(id -> s.state().node(id))
                .filter(n -> n.phase().failedOrError())
                .map(n -> n.name() + ": " + n.phase() + " " + n.message())
                .toList();
    }
}
