package dev.millrace.workflowengine.validation;

import dev.millrace.workflowengine.core.Depends;
import dev.millrace.workflowengine.validation.Scopes.Sibling;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Checks a {@code dag} template: its conditions make a graph without cycles. */
final class DagCheck {
    private static final String ROOT = "tasks";

    /** A condition is read by a function that calls itself. */
    private static final int DEEPEST = 500;

    private final Findings findings;
    private final MemberCheck members;

    DagCheck(Findings findings, MemberCheck members) {
        this.findings = findings;
        this.members = members;
    }

    /**
     * @param base variables of the template itself
     * @return the variables that its outputs can refer to
     */
    Known check(PlacedTemplate template, Known base) {
        Map<String, Call> tasks = new LinkedHashMap<>();
        Set<String> names = new HashSet<>();
        List<Call> calls = Call.members(template);
        if (calls.isEmpty()) {
            findings.error(
                    template.where().key("dag"),
                    template.label() + ".dag.tasks must have at least one task");
        }
        for (int i = 0; i < calls.size(); i++) {
            Call task = calls.get(i);
            Names.OF_TEMPLATES.check(
                    task.node(),
                    task.where(),
                    template.label() + ".tasks[" + i + "]",
                    names,
                    findings);
            tasks.putIfAbsent(task.name(), task);
        }
        form(template, calls);
        targets(template, tasks);
        TaskOrder order = TaskOrder.of(dependencies(tasks));
        if (!order.cycle().isEmpty()) {
            Call first = tasks.get(order.cycle().getFirst());
            findings.error(
                    first == null ? template.where() : first.where(),
                    template.label()
                            + ".tasks dependency cycle detected: "
                            + String.join("->", order.cycle()),
                    "a task cannot wait for itself");
        }
        return tasks(template, calls, order, base);
    }

    private Known tasks(PlacedTemplate template, List<Call> calls, TaskOrder order, Known base) {
        Map<String, Sibling> siblings = new HashMap<>();
        for (Call task : calls) {
            // A task may stand before those that it depends on.
            siblings.putIfAbsent(task.name(), members.sibling(template.scope(), task));
        }
        for (Call task : calls) {
            Known ancestors =
                    Scopes.ofSiblings(
                            ROOT, siblings, other -> order.isAncestor(other, task.name()));
            Known own = Scopes.ofSiblings(ROOT, siblings, task.name()::equals);
            members.check(template.scope(), task, base.or(ancestors), own);
        }
        return base.or(Scopes.ofSiblings(ROOT, siblings, _ -> true));
    }

    /** What each task waits for; what it names wrongly is left out. */
    private Map<String, Set<String>> dependencies(Map<String, Call> tasks) {
        Map<String, Set<String>> all = new LinkedHashMap<>();
        tasks.forEach((name, task) -> all.put(name, dependencies(task, tasks)));
        return all;
    }

    private Set<String> dependencies(Call task, Map<String, Call> tasks) {
        Set<String> named = new LinkedHashSet<>();
        String depends = task.node().path("depends").asString("");
        if (!depends.isEmpty()) {
            Where where = task.where().key("depends");
            if (depends.chars().filter(c -> c == '(' || c == '!').count() > DEEPEST) {
                findings.error(
                        where,
                        task.label() + " depends has more than " + DEEPEST + " parentheses and !",
                        "split the task");
                return named;
            }
            try {
                Depends condition = Depends.parse(depends);
                named.addAll(condition.tasks());
                loopResults(condition, task, where, tasks);
            } catch (IllegalArgumentException e) {
                findings.error(
                        where,
                        task.label() + " " + e.getMessage(),
                        "results are Succeeded, Failed, Errored, Skipped, Omitted, Daemoned, AnySucceeded, AllFailed; they are joined by &&, || and !");
            }
            known(named, task, where, tasks);
            return named;
        }
        JsonNode list = task.node().path("dependencies");
        list.forEach(d -> named.add(d.asString("")));
        known(named, task, task.where().key("dependencies"), tasks);
        return named;
    }

    private void known(Set<String> named, Call task, Where where, Map<String, Call> tasks) {
        named.removeIf(
                name -> {
                    boolean unknown = !tasks.containsKey(name);
                    if (unknown) {
                        findings.error(
                                where,
                                task.label() + " dependency '" + name + "' not defined",
                                Findings.meant(name, "the tasks are", tasks.keySet()));
                    }
                    return unknown;
                });
    }

    private void loopResults(Depends condition, Call task, Where where, Map<String, Call> tasks) {
        switch (condition) {
            case Depends.Task _ -> {}
            case Depends.TaskResult(String name, Depends.Result result) -> {
                Call other = tasks.get(name);
                boolean ofLoop =
                        result == Depends.Result.ANY_SUCCEEDED
                                || result == Depends.Result.ALL_FAILED;
                if (ofLoop && other != null && !other.isLoop()) {
                    findings.error(
                            where,
                            task.label()
                                    + " task '"
                                    + name
                                    + "' does not contain any items: "
                                    + result.text()
                                    + " is for tasks with withItems, withParam or withSequence",
                            "write "
                                    + name
                                    + (result == Depends.Result.ALL_FAILED
                                            ? ".Failed"
                                            : ".Succeeded"));
                }
            }
            case Depends.Not(Depends of) -> loopResults(of, task, where, tasks);
            case Depends.And(List<Depends> all) ->
                    all.forEach(d -> loopResults(d, task, where, tasks));
            case Depends.Or(List<Depends> any) ->
                    any.forEach(d -> loopResults(d, task, where, tasks));
        }
    }

    /** A DAG uses {@code depends} or {@code dependencies}; the first brings rules of its own. */
    private void form(PlacedTemplate template, List<Call> calls) {
        boolean depends =
                calls.stream().anyMatch(t -> !t.node().path("depends").asString("").isEmpty());
        if (!depends) {
            return;
        }
        for (Call task : calls) {
            if (!task.node().path("dependencies").isEmpty()) {
                findings.error(
                        task.where().key("dependencies"),
                        template.label()
                                + " cannot use both 'depends' and 'dependencies' in the same DAG template",
                        "write the dependencies as depends: a && b");
            }
            if (task.node().hasNonNull("continueOn")) {
                findings.error(
                        task.where().key("continueOn"),
                        template.label()
                                + " cannot use 'continueOn' when using 'depends'. Instead use 'dep-task.Failed'/'dep-task.Errored'");
            }
            if (!task.name().isEmpty() && Character.isDigit(task.name().charAt(0))) {
                findings.error(
                        task.where().key("name"),
                        template.label()
                                + ".tasks."
                                + task.name()
                                + " name cannot begin with a digit when using either 'depends' or 'dependencies'");
            }
        }
    }

    private void targets(PlacedTemplate template, Map<String, Call> tasks) {
        String target = template.body().path("dag").path("target").asString("").strip();
        if (target.isEmpty() || target.contains("{{")) {
            return;
        }
        List<String> unknown = new ArrayList<>(List.of(target.split("\\s+")));
        unknown.removeAll(tasks.keySet());
        for (String name : unknown) {
            findings.error(
                    template.where().key("dag").key("target"),
                    template.label() + ".targets target '" + name + "' is not defined",
                    Findings.meant(name, "the tasks are", tasks.keySet()));
        }
    }
}
