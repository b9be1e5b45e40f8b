package dev.millrace.workflowengine.view;

import dev.millrace.schemas.record.Node;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * What all distinct nodes did that can be reached from a group along children, itself included.
 * Nodes are held as numbers, so that a large workflow costs less memory than the text of it.
 */
final class Reach {
    /** Beyond this the numbers themselves take too much memory. */
    static final int MOST_NODES = 500_000;

    private static final int NONE = -1;

    private int count;
    private long[] keys = new long[256];
    private int[] firstEdge = new int[257];
    private long[] edgeKeys = new long[256];
    private final BitSet groups = new BitSet();
    private Amounts own = new Amounts(256);
    private Amounts reached = new Amounts(0);
    private int[] slots = {};

    /** Takes a node and the ids of its children. */
    void add(Node node, List<String> children) {
        if (count == keys.length) {
            keys = Arrays.copyOf(keys, count * 2);
            firstEdge = Arrays.copyOf(firstEdge, count * 2 + 1);
            own.grow(count * 2);
        }
        keys[count] = key(node.id());
        groups.set(count, !NodeView.EXECUTABLE.contains(node.type()));
        Sums sums = new Sums();
        sums.add(node);
        own.set(count, sums);
        int edge = firstEdge[count];
        if (edge + children.size() > edgeKeys.length) {
            edgeKeys =
                    Arrays.copyOf(edgeKeys, Math.max(edgeKeys.length * 2, edge + children.size()));
        }
        for (String child : children) {
            edgeKeys[edge++] = key(child);
        }
        firstEdge[++count] = edge;
    }

    /**
     * Works it out, once all nodes are there.
     *
     * @return whether that was possible
     */
    boolean settle() {
        slots = new int[Integer.highestOneBit(Math.max(4, count)) * 4];
        for (int node = 0; node < count; node++) {
            slots[slot(keys[node])] = node + 1;
        }
        int[] edges = new int[firstEdge[count]];
        int edge = 0;
        for (int node = 0; node < count; node++) {
            int last = firstEdge[node + 1];
            int from = firstEdge[node];
            firstEdge[node] = edge;
            for (int i = from; i < last; i++) {
                int child = slots[slot(edgeKeys[i])] - 1;
                if (child != NONE) {
                    edges[edge++] = child;
                }
            }
        }
        firstEdge[count] = edge;
        edgeKeys = new long[0];
        NodeGraph graph = new NodeGraph(count, firstEdge, edges);
        reached = new Amounts(count);
        boolean found = graph.sum(groups, own, reached);
        own = new Amounts(0);
        return found;
    }

    /** What was reached from a group that was added. */
    Sums of(String id) {
        int node = slots[slot(key(id))] - 1;
        return node == NONE ? new Sums() : reached.of(node);
    }

    /** FNV-1a over 64 bits: that two of a million ids have the same is as good as impossible. */
    private static long key(String id) {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < id.length(); i++) {
            hash = (hash ^ id.charAt(i)) * 0x100000001b3L;
        }
        return hash;
    }

    /** Where a key stands, or would stand. */
    private int slot(long key) {
        int at = (int) ((key * 0x9e3779b97f4a7c15L) >>> 40) & (slots.length - 1);
        while (slots[at] != 0 && keys[slots[at] - 1] != key) {
            at = (at + 1) & (slots.length - 1);
        }
        return at;
    }
}
