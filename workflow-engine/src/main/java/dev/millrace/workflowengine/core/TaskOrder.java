package dev.millrace.workflowengine.core;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * How the tasks of a DAG template depend on each other, with an index from each task to its
 * dependents.
 *
 * @param conditions what each task waits for; one that waits for all its dependencies is not here
 * @param dependencies the tasks that each task waits for
 * @param dependents the tasks that wait for a task, those that are not wanted left out
 * @param wanted the tasks that run, targets and their ancestors, in order of declaration
 * @param order the same as a list
 * @param roots of these the ones that wait for nothing
 * @param targets the tasks that decide what becomes of the DAG, sorted by name unless named by the
 *     template
 * @param obstacles of tasks that wait for many which one was in their way the last time, by
 *     workflow and node: a memory and no state, since looking there first changes no answer
 */
record TaskOrder(
        Map<String, Depends> conditions,
        Map<String, List<String>> dependencies,
        Map<String, List<String>> dependents,
        Set<String> wanted,
        List<String> order,
        List<String> roots,
        List<String> targets,
        Map<String, Integer> obstacles) {

    /**
     * Reads the order of tasks.
     *
     * @param target names of the targets with blanks between them; empty for all tasks on which
     *     none depends
     * @throws CallException if a condition cannot be read or names an unknown task
     */
    static TaskOrder of(List<JsonNode> tasks, String target) {
        Map<String, String> names = new LinkedHashMap<>();
        for (JsonNode task : tasks) {
            String name = task.path("name").asString("");
            names.put(name, name);
        }
        Map<String, Depends> conditions = new HashMap<>();
        Map<String, List<String>> dependencies = new HashMap<>();
        Set<String> awaited = new HashSet<>();
        for (JsonNode task : tasks) {
            String name = task.path("name").asString("");
            Depends condition = condition(task);
            List<String> awaits =
                    condition == null ? plain(task, names) : List.copyOf(condition.tasks());
            for (String dependency : awaits) {
                if (!names.containsKey(dependency)) {
                    throw new CallException(
                            "task '" + name + "' depends on the unknown task '" + dependency + "'");
                }
            }
            if (condition != null) {
                conditions.put(name, condition);
            }
            dependencies.put(name, awaits);
            awaited.addAll(awaits);
        }
        List<String> targets = targets(target, names.keySet(), awaited);
        Set<String> needed = new HashSet<>();
        targets.forEach(t -> collect(t, dependencies, needed));
        Set<String> wanted = new LinkedHashSet<>(names.keySet());
        wanted.retainAll(needed);
        List<String> order = List.copyOf(wanted);
        Map<String, List<String>> dependents = new HashMap<>();
        List<String> roots = new ArrayList<>();
        for (String name : order) {
            List<String> awaits = dependencies.getOrDefault(name, List.of());
            awaits.forEach(d -> dependents.computeIfAbsent(d, _ -> new ArrayList<>()).add(name));
            if (awaits.isEmpty()) {
                roots.add(name);
            }
        }
        return new TaskOrder(
                conditions,
                dependencies,
                dependents,
                wanted,
                order,
                roots,
                targets,
                new ConcurrentHashMap<>());
    }

    private static List<String> targets(String named, Set<String> tasks, Set<String> awaited) {
        if (named.isEmpty()) {
            Set<String> last = new TreeSet<>(tasks);
            last.removeAll(awaited);
            return List.copyOf(last);
        }
        List<String> targets = List.of(named.split("\\s+"));
        for (String target : targets) {
            if (!tasks.contains(target)) {
                throw new CallException("target '" + target + "' is not defined");
            }
        }
        return targets;
    }

    private static @Nullable Depends condition(JsonNode task) {
        String text = task.path("depends").asString("");
        if (text.isEmpty()) {
            return null;
        }
        try {
            return Depends.parse(text);
        } catch (IllegalArgumentException e) {
            throw new CallException(String.valueOf(e.getMessage()));
        }
    }

    private static List<String> plain(JsonNode task, Map<String, String> known) {
        Set<String> names = new LinkedHashSet<>();
        for (JsonNode dependency : task.path("dependencies")) {
            String name = dependency.asString("");
            // One text for each name, however many tasks wait for it.
            names.add(known.getOrDefault(name, name));
        }
        return List.copyOf(names);
    }

    /** A task and everything that it depends on; a loop, since chains may be long. */
    private static void collect(
            String task, Map<String, List<String>> dependencies, Set<String> into) {
        Deque<String> queue = new ArrayDeque<>(List.of(task));
        while (!queue.isEmpty()) {
            String next = queue.poll();
            if (into.add(next)) {
                queue.addAll(dependencies.getOrDefault(next, List.of()));
            }
        }
    }

    /** All tasks that a task depends on, directly or not. */
    Set<String> ancestors(String task) {
        Set<String> all = new LinkedHashSet<>();
        dependencies.getOrDefault(task, List.of()).forEach(d -> collect(d, dependencies, all));
        return all;
    }
}
