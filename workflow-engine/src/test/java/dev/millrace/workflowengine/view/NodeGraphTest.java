package dev.millrace.workflowengine.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Sums over what is reached, against a walk from every node. */
final class NodeGraphTest {

    /** Children of each node, which come in any order. */
    private static final class Graph {
        private final List<List<Integer>> children = new ArrayList<>();
        private final BitSet groups = new BitSet();

        int node(boolean group) {
            children.add(new ArrayList<>());
            groups.set(children.size() - 1, group);
            return children.size() - 1;
        }

        void edge(int from, int to) {
            children.get(from).add(to);
        }

        int[] firstEdge() {
            int[] first = new int[children.size() + 1];
            for (int i = 0; i < children.size(); i++) {
                first[i + 1] = first[i] + children.get(i).size();
            }
            return first;
        }

        int[] edges() {
            return children.stream().flatMapToInt(c -> c.stream().mapToInt(i -> i)).toArray();
        }

        Amounts own() {
            Amounts own = new Amounts(children.size());
            for (int i = 0; i < children.size(); i++) {
                own.set(i, ownOf(i));
            }
            return own;
        }

        private Sums ownOf(int node) {
            Sums sums = new Sums();
            if (!groups.get(node)) {
                sums.add(node % 3, 1 + node % 3);
                if (node % 2 == 0) {
                    sums.use("cpu", 1_000_000_000L * node);
                }
            }
            return sums;
        }

        Sums walk(int from) {
            Sums sums = new Sums();
            Set<Integer> seen = new HashSet<>(Set.of(from));
            Deque<Integer> queue = new ArrayDeque<>(seen);
            while (!queue.isEmpty()) {
                int node = queue.poll();
                Sums own = ownOf(node);
                sums.add(own.done(), own.total());
                own.resources().forEach(sums::use);
                for (int child : children.get(node)) {
                    if (seen.add(child)) {
                        queue.add(child);
                    }
                }
            }
            return sums;
        }

        Amounts sum() {
            Amounts reached = new Amounts(children.size());
            assertThat(
                            new NodeGraph(children.size(), firstEdge(), edges())
                                    .sum(groups, own(), reached))
                    .isTrue();
            return reached;
        }
    }

    private static String text(Sums sums) {
        return sums.done() + "/" + sums.total() + " " + sums.resources();
    }

    /**
     * Below some nodes a chain, a loop, alternatives of which some end, or tasks that depend on
     * each other at random; returns those on which what follows hangs.
     */
    private static List<Integer> grow(Graph graph, Random random, List<Integer> above, int depth) {
        int first = graph.node(true);
        above.forEach(a -> graph.edge(a, first));
        List<Integer> at = List.of(first);
        int groups = 1 + random.nextInt(4);
        for (int g = 0; g < groups; g++) {
            List<Integer> ends = new ArrayList<>();
            List<Integer> made = new ArrayList<>(at);
            int members = random.nextInt(4) == 0 ? 1 : 1 + random.nextInt(5);
            boolean tangled = random.nextInt(4) == 0;
            for (int m = 0; m < members; m++) {
                List<Integer> under =
                        tangled ? made.stream().filter(_ -> random.nextInt(3) == 0).toList() : at;
                under = under.isEmpty() ? List.of(made.get(random.nextInt(made.size()))) : under;
                List<Integer> out;
                if (depth > 0 && random.nextInt(3) == 0) {
                    out = grow(graph, random, under, depth - 1);
                } else {
                    int leaf = graph.node(random.nextInt(5) == 0);
                    under.forEach(u -> graph.edge(u, leaf));
                    out = List.of(leaf);
                }
                made.addAll(out);
                if (random.nextInt(6) > 0) {
                    ends.addAll(out);
                }
            }
            at = ends.isEmpty() ? List.of(made.getLast()) : ends;
        }
        return at;
    }

    @Test
    void theSumsAreThoseOfAWalkFromEveryGroup() {
        for (long seed = 0; seed < 3_000; seed++) {
            Random random = new Random(seed);
            Graph graph = new Graph();
            grow(graph, random, List.of(), 3);
            if (random.nextBoolean()) {
                grow(graph, random, List.of(), 1);
            }
            Amounts reached = graph.sum();
            for (int node = 0; node < graph.children.size(); node++) {
                if (graph.groups.get(node)) {
                    assertThat(text(reached.of(node)))
                            .as("seed %d, node %d of %s", seed, node, graph.children)
                            .isEqualTo(text(graph.walk(node)));
                }
            }
        }
    }

    /** Loops in loops, one after the other: the work must not grow with the square. */
    @Test
    void manyGroupsInALineAreDoneInAMoment() {
        Graph graph = new Graph();
        List<Integer> at = List.of(graph.node(true));
        for (int g = 0; g < 60_000; g++) {
            int group = graph.node(true);
            at.forEach(a -> graph.edge(a, group));
            List<Integer> members = new ArrayList<>();
            for (int m = 0; m < 3; m++) {
                int member = graph.node(false);
                graph.edge(group, member);
                members.add(member);
            }
            int failed = graph.node(false);
            graph.edge(group, failed);
            at = members;
        }
        long before = System.nanoTime();
        Amounts reached = graph.sum();
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(5));
        assertThat(text(reached.of(0))).isEqualTo(text(graph.walk(0)));
    }

    /** Nothing is wrong with such a graph, but there is no quick answer. */
    @Test
    void whatWouldTakeTooLongIsGivenUp() {
        Graph graph = new Graph();
        Random random = new Random(1);
        int layers = 200;
        int width = 200;
        List<Integer> above = List.of(graph.node(true));
        for (int l = 0; l < layers; l++) {
            List<Integer> layer = new ArrayList<>();
            for (int w = 0; w < width; w++) {
                int node = graph.node(true);
                layer.add(node);
                for (int d = 0; d < 10; d++) {
                    graph.edge(above.get(random.nextInt(above.size())), node);
                }
            }
            above = layer;
        }
        assertThat(
                        new NodeGraph(graph.children.size(), graph.firstEdge(), graph.edges())
                                .sum(graph.groups, graph.own(), new Amounts(graph.children.size())))
                .isFalse();
    }
}
