package dev.millrace.workflowengine.view;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Progress and used resources of many nodes, by their numbers. */
final class Amounts {
    private int[] done;
    private int[] total;
    private final Map<String, long[]> used = new HashMap<>();

    Amounts(int size) {
        done = new int[size];
        total = new int[size];
    }

    void grow(int size) {
        done = Arrays.copyOf(done, size);
        total = Arrays.copyOf(total, size);
        used.replaceAll((_, units) -> Arrays.copyOf(units, size));
    }

    void set(int node, Sums sums) {
        done[node] = sums.done();
        total[node] = sums.total();
        sums.resources().forEach((resource, units) -> units(resource)[node] = units);
    }

    /** Adds what another one has of a node. */
    void add(int node, Amounts from, int other) {
        done[node] += from.done[other];
        total[node] += from.total[other];
        if (from.used.isEmpty()) {
            return;
        }
        from.used.forEach(
                (resource, units) -> {
                    if (units[other] != 0) {
                        units(resource)[node] += units[other];
                    }
                });
    }

    /** Takes over what another one has of the same node. */
    void copy(int node, Amounts from) {
        done[node] = 0;
        total[node] = 0;
        used.values().forEach(units -> units[node] = 0);
        add(node, from, node);
    }

    Sums of(int node) {
        Sums sums = new Sums();
        sums.add(done[node], total[node]);
        used.forEach(
                (resource, units) -> {
                    if (units[node] != 0) {
                        sums.use(resource, units[node]);
                    }
                });
        return sums;
    }

    private long[] units(String resource) {
        return used.computeIfAbsent(resource, _ -> new long[done.length]);
    }
}
