package dev.millrace.workflowengine.validation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which tasks come before which.
 *
 * @param numbers the place of each task in the sets
 * @param ancestors for each task that is not behind a cycle, the tasks before it
 * @param cycle names from a task back to itself, empty if there is no cycle
 */
record TaskOrder(Map<String, Integer> numbers, List<BitSet> ancestors, List<String> cycle) {

    /**
     * @param dependencies what each task waits for, all of them keys
     */
    static TaskOrder of(Map<String, Set<String>> dependencies) {
        Map<String, Integer> numbers = new HashMap<>();
        List<BitSet> ancestors = new ArrayList<>();
        Map<String, List<String>> dependents = new HashMap<>();
        Map<String, Integer> waiting = new HashMap<>();
        Deque<String> free = new ArrayDeque<>();
        dependencies.forEach(
                (task, before) -> {
                    numbers.put(task, numbers.size());
                    ancestors.add(new BitSet());
                    waiting.put(task, before.size());
                    before.forEach(
                            b -> dependents.computeIfAbsent(b, _ -> new ArrayList<>()).add(task));
                    if (before.isEmpty()) {
                        free.add(task);
                    }
                });
        Set<String> behind = new LinkedHashSet<>(dependencies.keySet());
        while (!free.isEmpty()) {
            String task = free.remove();
            behind.remove(task);
            int number = number(numbers, task);
            for (String next : dependents.getOrDefault(task, List.of())) {
                BitSet of = ancestors.get(number(numbers, next));
                of.set(number);
                of.or(ancestors.get(number));
                if (waiting.merge(next, -1, Integer::sum) == 0) {
                    free.add(next);
                }
            }
        }
        return new TaskOrder(numbers, ancestors, cycle(behind, dependencies));
    }

    /**
     * Among the tasks left over each waits for another one of them, so any walk ends in a cycle.
     */
    private static List<String> cycle(Set<String> behind, Map<String, Set<String>> dependencies) {
        if (behind.isEmpty()) {
            return List.of();
        }
        List<String> walk = new ArrayList<>();
        Set<String> seen = new LinkedHashSet<>();
        String at = behind.iterator().next();
        while (seen.add(at)) {
            walk.add(at);
            at =
                    dependencies.getOrDefault(at, Set.of()).stream()
                            .filter(behind::contains)
                            .findFirst()
                            .orElseThrow();
        }
        List<String> cycle = new ArrayList<>(walk.subList(walk.indexOf(at), walk.size()));
        cycle.add(at);
        return cycle;
    }

    private static int number(Map<String, Integer> numbers, String task) {
        return numbers.getOrDefault(task, -1);
    }

    /** Whether one task has ended when the other one starts; behind a cycle nothing is refused. */
    boolean isAncestor(String earlier, String later) {
        int number = number(numbers, earlier);
        int of = number(numbers, later);
        return number >= 0 && of >= 0 && (!cycle.isEmpty() || ancestors.get(of).get(number));
    }
}
