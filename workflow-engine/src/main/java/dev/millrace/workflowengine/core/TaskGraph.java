package dev.millrace.workflowengine.core;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The tasks of a DAG template and how they depend on each other, with an index from each task to
 * its dependents.
 *
 * @param order the tasks that run, targets and their ancestors, in order of declaration
 * @param targets the tasks that decide what becomes of the DAG, sorted by name unless named by the
 *     template
 */
record TaskGraph(
        Map<String, JsonNode> tasks,
        Map<String, Depends> depends,
        Map<String, Set<String>> dependents,
        List<String> order,
        List<String> targets) {

    /**
     * Reads the graph of a DAG template.
     *
     * @throws CallException if a condition cannot be read or names an unknown task
     */
    static TaskGraph of(JsonNode dag) {
        Map<String, JsonNode> tasks = new LinkedHashMap<>();
        dag.path("tasks").forEach(task -> tasks.put(task.path("name").asString(""), task));
        Map<String, Depends> depends = new LinkedHashMap<>();
        Map<String, Set<String>> dependents = new LinkedHashMap<>();
        tasks.forEach(
                (name, task) -> {
                    Depends condition = condition(task);
                    depends.put(name, condition);
                    for (String dependency : condition.tasks()) {
                        if (!tasks.containsKey(dependency)) {
                            throw new CallException(
                                    "task '"
                                            + name
                                            + "' depends on the unknown task '"
                                            + dependency
                                            + "'");
                        }
                        dependents
                                .computeIfAbsent(dependency, _ -> new LinkedHashSet<>())
                                .add(name);
                    }
                });
        List<String> targets = targets(dag, tasks, dependents);
        Set<String> needed = new LinkedHashSet<>();
        targets.forEach(target -> collect(target, depends, needed));
        List<String> order = tasks.keySet().stream().filter(needed::contains).toList();
        return new TaskGraph(tasks, depends, dependents, order, targets);
    }

    private static List<String> targets(
            JsonNode dag, Map<String, JsonNode> tasks, Map<String, Set<String>> dependents) {
        String named = dag.path("target").asString("").strip();
        if (named.isEmpty()) {
            return List.copyOf(
                    new TreeSet<>(
                            tasks.keySet().stream()
                                    .filter(n -> !dependents.containsKey(n))
                                    .toList()));
        }
        List<String> targets = List.of(named.split("\\s+"));
        for (String target : targets) {
            if (!tasks.containsKey(target)) {
                throw new CallException("target '" + target + "' is not defined");
            }
        }
        return targets;
    }

    private static Depends condition(JsonNode task) {
        String text = task.path("depends").asString("");
        if (!text.isEmpty()) {
            try {
                return Depends.parse(text);
            } catch (IllegalArgumentException e) {
                throw new CallException(String.valueOf(e.getMessage()));
            }
        }
        List<String> names = new ArrayList<>();
        task.path("dependencies").forEach(d -> names.add(d.asString("")));
        return Depends.allOf(names);
    }

    /** A task and everything that it depends on; a loop, since chains may be long. */
    private static void collect(String task, Map<String, Depends> depends, Set<String> into) {
        Deque<String> queue = new ArrayDeque<>(List.of(task));
        while (!queue.isEmpty()) {
            String next = queue.poll();
            Depends condition = into.add(next) ? depends.get(next) : null;
            if (condition != null) {
                queue.addAll(condition.tasks());
            }
        }
    }

    Depends condition(String task) {
        Depends condition = depends.get(task);
        return condition == null ? Depends.allOf(List.of()) : condition;
    }

    @Nullable JsonNode task(String name) {
        return tasks.get(name);
    }

    /** All tasks that a task depends on, directly or not. */
    Set<String> ancestors(String task) {
        Set<String> all = new LinkedHashSet<>();
        condition(task).tasks().forEach(d -> collect(d, depends, all));
        return all;
    }

    /** The tasks that wait for this one. */
    Set<String> waitingFor(String task) {
        return dependents.getOrDefault(task, Set.of());
    }
}
