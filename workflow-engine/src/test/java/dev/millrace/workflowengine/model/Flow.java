package dev.millrace.workflowengine.model;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A workflow as the generator makes it and the model reads it. {@link FlowText} writes it as the
 * manifest that the core gets.
 *
 * @param hooks hooks of the workflow, its exit handler under {@code exit}
 * @param parallelism 0 for none, as everywhere here
 * @param deadline in seconds, 0 for none
 */
record Flow(
        Template entry,
        Map<String, String> arguments,
        Map<String, Hook> hooks,
        int parallelism,
        int deadline,
        @Nullable Retry retry,
        Set<String> mutexes) {

    static final String EXIT = "exit";

    /** Texts may hold tags, here as everywhere. */
    record Input(String name, @Nullable String byDefault) {}

    /**
     * @param from the tag that it is taken from; absent in a leaf, which gives it itself
     */
    record Output(String name, @Nullable String from, @Nullable String byDefault) {}

    /**
     * @param seconds 0 for no timeout
     */
    record Template(
            String name,
            Body body,
            List<Input> inputs,
            List<Output> outputs,
            @Nullable Retry retry,
            int parallelism,
            boolean failFast,
            Set<String> mutexes,
            @Nullable String semaphore,
            int seconds) {

        boolean locked() {
            return !mutexes.isEmpty() || semaphore != null;
        }
    }

    sealed interface Body {}

    record Leaf() implements Body {}

    /**
     * @param seconds 0 for a pause that somebody has to end
     */
    record Pause(int seconds) implements Body {}

    record Steps(List<List<Member>> groups) implements Body {}

    record Dag(List<Member> tasks, List<String> target, @Nullable Boolean failFast)
            implements Body {}

    /** A step or a task. */
    record Member(
            String name,
            Template template,
            boolean inline,
            Map<String, String> arguments,
            @Nullable Needs depends,
            List<String> dependencies,
            @Nullable When when,
            @Nullable Loop loop,
            boolean goOnFailed,
            boolean goOnError,
            Map<String, Hook> hooks) {}

    record When(String left, boolean equal, String right) {}

    sealed interface Loop {}

    record Items(List<String> items) implements Loop {}

    record Param(String list) implements Loop {}

    record Sequence(int count) implements Loop {}

    /**
     * @param arguments absent if it names none
     */
    record Hook(
            Template template, @Nullable Map<String, String> arguments, @Nullable Status status) {}

    /** A condition on the status of what has the hook. */
    record Status(boolean equal, String status) {}

    /** What {@code depends} says. */
    sealed interface Needs {
        record Task(String name, @Nullable String result) implements Needs {}

        record Not(Needs of) implements Needs {}

        record Both(boolean and, Needs left, Needs right) implements Needs {}

        default void names(Set<String> into) {
            switch (this) {
                case Task(var name, _) -> into.add(name);
                case Not(var of) -> of.names(into);
                case Both(_, var left, var right) -> {
                    left.names(into);
                    right.names(into);
                }
            }
        }
    }

    /**
     * @param limit absent for none
     * @param base seconds of backoff, 0 for no backoff
     */
    record Retry(
            @Nullable Integer limit,
            @Nullable String policy,
            @Nullable Again again,
            int base,
            int factor,
            int cap,
            int most) {}

    /** Conditions of retries. */
    enum Again {
        CODE_IS_1("asInt(lastRetry.exitCode) == 1"),
        ERRED("lastRetry.status == 'Error'"),
        FIRST_TIME("asInt(retries) < 1");

        final String text;

        Again(String text) {
            this.text = text;
        }
    }
}
