package dev.millrace.workflowengine.core;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The condition {@code depends} of a DAG task: {@code &&}, {@code ||}, {@code !}, parentheses over
 * {@code Task} or {@code Task.Result}. A bare task name means Succeeded, Skipped or Daemoned, and
 * what the task's own {@code continueOn} adds.
 */
public sealed interface Depends {

    /** Results of a task that a condition may name. */
    enum Result {
        SUCCEEDED("Succeeded"),
        FAILED("Failed"),
        ERRORED("Errored"),
        SKIPPED("Skipped"),
        OMITTED("Omitted"),
        DAEMONED("Daemoned"),
        ANY_SUCCEEDED("AnySucceeded"),
        ALL_FAILED("AllFailed");

        private final String text;

        Result(String text) {
            this.text = text;
        }

        /** The name in manifests. */
        public String text() {
            return text;
        }
    }

    /** A bare task name. */
    record Task(String task) implements Depends {}

    /** A task with a result. */
    record TaskResult(String task, Result result) implements Depends {}

    record Not(Depends of) implements Depends {}

    record And(List<Depends> all) implements Depends {}

    record Or(List<Depends> any) implements Depends {}

    /** What the tasks that a condition names became. */
    interface Facts {
        boolean bare(String task);

        boolean is(String task, Result result);
    }

    default boolean holds(Facts facts) {
        return switch (this) {
            case Task(var task) -> facts.bare(task);
            case TaskResult(var task, var result) -> facts.is(task, result);
            case Not(var of) -> !of.holds(facts);
            case And(var all) -> all.stream().allMatch(d -> d.holds(facts));
            case Or(var any) -> any.stream().anyMatch(d -> d.holds(facts));
        };
    }

    /** The names of the tasks in the condition, in order of appearance. */
    default Set<String> tasks() {
        Set<String> names = new LinkedHashSet<>();
        collect(names);
        return names;
    }

    private void collect(Set<String> into) {
        switch (this) {
            case Task(var task) -> into.add(task);
            case TaskResult(var task, _) -> into.add(task);
            case Not(var of) -> of.collect(into);
            case And(var all) -> all.forEach(d -> d.collect(into));
            case Or(var any) -> any.forEach(d -> d.collect(into));
        }
    }

    /** All of these tasks, bare: what {@code dependencies} means. */
    static Depends allOf(List<String> tasks) {
        return new And(tasks.stream().<Depends>map(Task::new).toList());
    }

    /**
     * Reads a condition.
     *
     * @throws IllegalArgumentException if the text is no condition; the message says where
     */
    static Depends parse(String text) {
        return new DependsParser(text).parse();
    }
}
