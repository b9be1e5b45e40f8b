package dev.millrace.workflowengine.view;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Sums over all that can be reached from a node, each node counted once.
 *
 * <p>Ways that part at a node meet again as a rule: what is reached then is what lies in between,
 * and what is reached from where they meet. What lies in between is walked once, and is one piece
 * for those who come by later if there is no other way into it. So with steps and loops, however
 * they are nested, each node is looked at a few times; only where many groups depend on each other
 * at random is more of it walked for each of them, and that has a limit.
 */
final class NodeGraph {
    /** Some tenths of a second. */
    private static final long MOST_VISITS = 100_000_000;

    private static final int NONE = -1;

    private final int count;
    private final int[] firstEdge;
    private final int[] edges;

    /** Behind the last node: where all ways end. */
    private final int end;

    private final int[] parents;

    /** Nodes that only one way leads to, and from which none leads to others than such. */
    private final BitSet closed = new BitSet();

    /** Nodes from which several ways go on. */
    private final BitSet parts = new BitSet();

    /** Where all ways from a node meet again; a tree whose root is the end. */
    private final int[] meeting;

    private final int[] depth;

    /** Someone far up in that tree, as far for all of the same depth. */
    private final int[] jump;

    /** The last node of the piece that begins with a node. */
    private final int[] last;

    private final int[] seen;
    private final int[] stack;
    private long visits;

    /**
     * @param firstEdge where the children of each node begin in {@code edges}; one more for the end
     */
    NodeGraph(int count, int[] firstEdge, int[] edges) {
        this.count = count;
        this.firstEdge = firstEdge;
        this.edges = edges;
        end = count;
        parents = new int[count];
        meeting = new int[count + 1];
        depth = new int[count + 1];
        jump = new int[count + 1];
        last = new int[count];
        seen = new int[count];
        stack = new int[count];
    }

    /**
     * Sums up for the nodes that somebody asks for.
     *
     * @param own what each node did itself; changed on the way
     * @param reached takes the sums
     * @return whether that was possible with reasonable effort
     */
    boolean sum(BitSet asked, Amounts own, Amounts reached) {
        int[] order = order();
        Arrays.fill(meeting, end);
        Arrays.fill(jump, end);
        Arrays.fill(depth, 1);
        depth[end] = 0;
        for (int i = order.length - 1; i >= 0; i--) {
            meet(order[i], own);
        }
        BitSet needed = (BitSet) asked.clone();
        for (int node : order) {
            if (needed.get(node) && meeting[node] != end) {
                needed.set(meeting[node]);
            }
        }
        for (int i = order.length - 1; i >= 0; i--) {
            sum(order[i], needed.get(order[i]), own, reached);
            if (visits > MOST_VISITS) {
                return false;
            }
        }
        return true;
    }

    /** Every node before its children. */
    private int[] order() {
        for (int edge = 0; edge < firstEdge[count]; edge++) {
            parents[edges[edge]]++;
        }
        int[] left = parents.clone();
        int[] order = new int[count];
        int known = 0;
        for (int node = 0; node < count; node++) {
            if (left[node] == 0) {
                order[known++] = node;
            }
        }
        for (int next = 0; next < known; next++) {
            for (int edge = firstEdge[order[next]]; edge < firstEdge[order[next] + 1]; edge++) {
                if (--left[edges[edge]] == 0) {
                    order[known++] = edges[edge];
                }
            }
        }
        return Arrays.copyOf(order, known);
    }

    /** Finds where the ways from a node meet; its children know it of theirs. */
    private void meet(int node, Amounts own) {
        int meets = NONE;
        for (int edge = firstEdge[node]; edge < firstEdge[node + 1]; edge++) {
            int child = edges[edge];
            if (closed.get(child)) {
                // Nobody else comes here: it counts as a part of this node.
                own.add(node, own, child);
            } else if (meets == NONE) {
                meets = child;
            } else {
                parts.set(node);
                meets = common(meets, child);
            }
        }
        if (meets == NONE) {
            closed.set(node, parents[node] <= 1);
            return;
        }
        meeting[node] = meets;
        depth[node] = depth[meets] + 1;
        int far = jump[meets];
        jump[node] = depth[meets] - depth[far] == depth[far] - depth[jump[far]] ? jump[far] : meets;
    }

    /** The first node that is on all ways from both. */
    private int common(int one, int other) {
        int a = one;
        int b = other;
        while (a != b) {
            if (depth[a] < depth[b]) {
                int swap = a;
                a = b;
                b = swap;
            }
            if (depth[a] > depth[b]) {
                a = depth[jump[a]] >= depth[b] ? jump[a] : meeting[a];
            } else if (jump[a] != jump[b]) {
                a = jump[a];
                b = jump[b];
            } else {
                a = meeting[a];
                b = meeting[b];
            }
        }
        return a;
    }

    /** The sums of a node, and the piece that begins with it; its children have both. */
    private void sum(int node, boolean needed, Amounts own, Amounts reached) {
        last[node] = node;
        if (parts.get(node) && !needed) {
            return;
        }
        int meets = meeting[node];
        reached.add(node, own, node);
        if (between(node, meets, own, reached)) {
            own.copy(node, reached);
            own.add(node, own, meets);
            last[node] = last[meets];
        }
        if (needed && meets != end) {
            reached.add(node, reached, meets);
        }
    }

    /**
     * Adds the pieces on the ways from a node to where they meet.
     *
     * @return whether no other way leads into them, or to where they meet
     */
    private boolean between(int from, int until, Amounts own, Amounts reached) {
        long ways = 0;
        long entries = until == end ? 0 : parents[until];
        int node = from;
        int top = 0;
        while (true) {
            for (int edge = firstEdge[node]; edge < firstEdge[node + 1]; edge++) {
                int child = edges[edge];
                if (closed.get(child)) {
                    continue;
                }
                ways++;
                if (child != until && seen[child] != from + 1) {
                    seen[child] = from + 1;
                    entries += parents[child];
                    stack[top++] = child;
                }
            }
            if (top == 0) {
                visits += ways;
                return until != end && ways == entries;
            }
            int next = stack[--top];
            reached.add(from, own, next);
            node = last[next];
        }
    }
}
