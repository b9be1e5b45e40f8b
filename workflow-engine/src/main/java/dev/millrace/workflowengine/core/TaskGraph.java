package dev.millrace.workflowengine.core;

import java.util.AbstractCollection;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The tasks of one call of a DAG template and how they depend on each other. */
record TaskGraph(Called called, TaskOrder tasks) {

    /**
     * The graph of a call.
     *
     * @throws CallException if a condition cannot be read or names an unknown task
     */
    static TaskGraph of(Called called) {
        String target = called.body().path("dag").path("target").asString("").strip();
        return new TaskGraph(called, called.definition().order(target));
    }

    /** The tasks that run, in order of declaration. */
    List<String> order() {
        return tasks.order();
    }

    /** The tasks that decide what becomes of the DAG. */
    List<String> targets() {
        return tasks.targets();
    }

    /** The tasks that wait for nothing. */
    List<String> roots() {
        return tasks.roots();
    }

    Depends condition(String task) {
        Depends condition = tasks.conditions().get(task);
        return condition == null ? Depends.allOf(dependencies(task)) : condition;
    }

    /** The tasks that a task waits for. */
    List<String> dependencies(String task) {
        return tasks.dependencies().getOrDefault(task, List.of());
    }

    @Nullable JsonNode task(String name) {
        return called.member(name);
    }

    /** The tasks that wait for this one. */
    List<String> waitingFor(String task) {
        return tasks.dependents().getOrDefault(task, List.of());
    }

    /**
     * All tasks that a task depends on, directly or not. They are found when one is asked for that
     * is no direct dependency, or all of them: few texts refer to others.
     */
    Collection<String> ancestors(String task) {
        List<String> direct = dependencies(task);
        return new AbstractCollection<>() {
            private @Nullable Set<String> all;

            @Override
            public boolean contains(@Nullable Object name) {
                return name instanceof String known
                        && (direct.contains(known) || all().contains(known));
            }

            @Override
            public Iterator<String> iterator() {
                return all().iterator();
            }

            @Override
            public int size() {
                return all().size();
            }

            private Set<String> all() {
                if (all == null) {
                    all = tasks.ancestors(task);
                }
                return all;
            }
        };
    }
}
