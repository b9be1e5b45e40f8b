package dev.millrace.workflowengine.model;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes a {@link Flow} out of choices; where all of them are 0 it is one leaf. */
final class RandomFlow {
    private static final int DEEPEST = 3;

    private final Choices choices;

    /** After so many templates only leaves come. */
    private final int enough;

    /** Many limits, and much that ends early. */
    private final boolean tight;

    /** Much goes on in spite of failures. */
    private final boolean lenient;

    private int count;

    private RandomFlow(Choices choices) {
        this.choices = choices;
        this.tight = choices.oneIn(4);
        this.lenient = choices.oneIn(4);
        this.enough = choices.oneIn(16) ? 16 : 4 + choices.below(4);
    }

    static Flow of(Choices choices) {
        return new RandomFlow(choices).flow();
    }

    /** What a tag may refer to. */
    private record Known(String tag, boolean list) {}

    private Flow flow() {
        Map<String, String> arguments = new LinkedHashMap<>();
        arguments.put("p", "5");
        arguments.put("q", "[\"1\",\"2\"]");
        Flow.Template entry = template(0);
        Map<String, Flow.Hook> hooks = new LinkedHashMap<>();
        if (choices.oneIn(3)) {
            hooks.put(Flow.EXIT, new Flow.Hook(template(choices.oneIn(2) ? 2 : 3), null, null));
        }
        if (choices.oneIn(5)) {
            hooks.put(
                    "h",
                    new Flow.Hook(
                            template(DEEPEST),
                            given(),
                            status(List.of("Succeeded", "Running", "Failed", "Error"))));
        }
        int parallelism = choices.oneIn(tight ? 2 : 5) ? 1 + choices.below(3) : 0;
        int deadline = choices.oneIn(10) ? 2 + choices.below(20) : 0;
        Flow.Retry retry = choices.oneIn(15) ? retry() : null;
        Set<String> mutexes = choices.oneIn(15) ? Set.of("whole") : Set.of();
        return new Flow(entry, arguments, hooks, parallelism, deadline, retry, mutexes);
    }

    /** Arguments where there is nothing to refer to. */
    private Map<String, String> given() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("p", choices.oneIn(2) ? "{{workflow.parameters.p}}" : "3");
        all.put("q", "[\"7\"]");
        return all;
    }

    private Flow.Status status(List<String> statuses) {
        return new Flow.Status(!choices.oneIn(4), choices.of(statuses));
    }

    private Flow.Template template(int depth) {
        String name = "t" + count++;
        List<Flow.Input> inputs = new ArrayList<>();
        if (choices.oneIn(2)) {
            inputs.add(new Flow.Input("p", choices.oneIn(3) ? "4" : null));
        }
        if (choices.oneIn(3)) {
            inputs.add(new Flow.Input("q", choices.oneIn(3) ? "[\"8\",\"9\"]" : null));
        }
        Flow.Retry retry = choices.oneIn(5) ? retry() : null;
        Set<String> mutexes = new LinkedHashSet<>();
        int kind = depth >= DEEPEST || count > enough ? 0 : choices.below(6);
        boolean inside = kind == 0;
        if (choices.oneIn(8)) {
            // What waits for a lock that a node around it has waits for ever.
            mutexes.add(inside ? "m" : "depth" + depth);
            if (inside && choices.oneIn(3)) {
                mutexes.add("n");
            }
        }
        String semaphore = inside && choices.oneIn(12) ? choices.of(List.of("one", "two")) : null;
        List<Flow.Output> outputs = new ArrayList<>();
        Flow.Body body =
                switch (kind) {
                    case 1, 2 -> steps(depth, inputs, outputs);
                    case 3, 4, 5 -> dag(depth, inputs, outputs);
                    default -> leaf(outputs);
                };
        boolean group = body instanceof Flow.Steps || body instanceof Flow.Dag;
        int parallelism = group && choices.oneIn(tight ? 2 : 5) ? 1 + choices.below(2) : 0;
        boolean failFast = group && choices.oneIn(tight ? 2 : 7);
        int seconds = body instanceof Flow.Leaf && choices.oneIn(10) ? 1 + choices.below(4) : 0;
        return new Flow.Template(
                name,
                body,
                inputs,
                outputs,
                retry,
                parallelism,
                failFast,
                mutexes,
                semaphore,
                seconds);
    }

    private Flow.Body leaf(List<Flow.Output> outputs) {
        if (choices.oneIn(8)) {
            return new Flow.Pause(choices.oneIn(3) ? 0 : 1 + choices.below(4));
        }
        if (!choices.oneIn(3)) {
            outputs.add(new Flow.Output("out", null, choices.oneIn(2) ? "0" : null));
        }
        return new Flow.Leaf();
    }

    private Flow.Retry retry() {
        Integer limit = choices.oneIn(8) ? null : choices.below(3);
        String policy = choices.of(unset("Always", "OnFailure", "OnError"));
        Flow.Again again = choices.oneIn(3) ? choices.of(List.of(Flow.Again.values())) : null;
        if (limit == null) {
            // Something has to end it.
            again = Flow.Again.FIRST_TIME;
        }
        boolean backoff = choices.oneIn(tight ? 2 : 3);
        return new Flow.Retry(
                limit,
                policy,
                again,
                backoff ? 1 + choices.below(4) : 0,
                choices.below(3),
                choices.oneIn(4) ? 3 : 0,
                choices.oneIn(tight ? 2 : 4) ? 3 + choices.below(6) : 0);
    }

    private static List<@Nullable String> unset(String... others) {
        List<@Nullable String> all = new ArrayList<>();
        all.add(null);
        all.addAll(List.of(others));
        return all;
    }

    private Flow.Steps steps(int depth, List<Flow.Input> inputs, List<Flow.Output> outputs) {
        List<Known> known = known(inputs);
        List<List<Flow.Member>> groups = new ArrayList<>();
        int many = 1 + choices.below(3);
        for (int g = 0; g < many; g++) {
            List<Flow.Member> members = new ArrayList<>();
            int size = 1 + choices.below(3);
            for (int m = 0; m < size; m++) {
                members.add(member("s" + g + m, depth, null, List.of(), known));
            }
            members.forEach(m -> known.addAll(gives("steps", m)));
            groups.add(members);
        }
        output(known, "steps", outputs);
        return new Flow.Steps(groups);
    }

    private Flow.Dag dag(int depth, List<Flow.Input> inputs, List<Flow.Output> outputs) {
        List<Flow.Member> tasks = new ArrayList<>();
        Map<String, Set<String>> ancestors = new LinkedHashMap<>();
        boolean depends = choices.oneIn(2);
        int many = 1 + choices.below(5);
        for (int i = 0; i < many; i++) {
            Flow.Needs needs = depends && i > 0 && !choices.oneIn(4) ? needs(tasks, 0) : null;
            List<String> dependencies =
                    !depends && i > 0 && !choices.oneIn(4) ? some(tasks) : List.of();
            Set<String> named = new LinkedHashSet<>(dependencies);
            if (needs != null) {
                needs.names(named);
            }
            Set<String> all = new LinkedHashSet<>(named);
            named.forEach(n -> all.addAll(ancestors.getOrDefault(n, Set.of())));
            ancestors.put("k" + i, all);
            List<Known> known = known(inputs);
            tasks.stream()
                    .filter(t -> all.contains(t.name()))
                    .forEach(t -> known.addAll(gives("tasks", t)));
            // A DAG with depends has no continueOn.
            tasks.add(member("k" + i, depth, needs, dependencies, known, !depends));
        }
        List<Known> known = known(inputs);
        tasks.forEach(t -> known.addAll(gives("tasks", t)));
        List<String> target = choices.oneIn(6) ? some(tasks) : List.of();
        if (target.isEmpty()) {
            output(known, "tasks", outputs);
        }
        Boolean failFast = choices.oneIn(tight ? 2 : 3) ? choices.oneIn(3) : null;
        return new Flow.Dag(tasks, target, failFast);
    }

    private List<String> some(List<Flow.Member> tasks) {
        Set<String> names = new LinkedHashSet<>();
        int many = 1 + choices.below(2);
        for (int i = 0; i < many; i++) {
            names.add(choices.of(tasks).name());
        }
        return List.copyOf(names);
    }

    private Flow.Needs needs(List<Flow.Member> tasks, int depth) {
        int kind = depth > 2 ? 0 : choices.below(5);
        return switch (kind) {
            case 3 -> new Flow.Needs.Not(needs(tasks, depth + 1));
            case 4 ->
                    new Flow.Needs.Both(
                            choices.oneIn(2), needs(tasks, depth + 1), needs(tasks, depth + 1));
            default -> {
                Flow.Member task = choices.of(tasks);
                List<@Nullable String> results =
                        unset("Succeeded", "Failed", "Errored", "Skipped", "Omitted");
                if (task.loop() != null) {
                    results.add("AnySucceeded");
                    results.add("AllFailed");
                }
                yield new Flow.Needs.Task(task.name(), choices.of(results));
            }
        };
    }

    private static List<Known> known(List<Flow.Input> inputs) {
        List<Known> known = new ArrayList<>();
        known.add(new Known("{{workflow.parameters.p}}", false));
        known.add(new Known("{{workflow.parameters.q}}", true));
        inputs.forEach(
                in ->
                        known.add(
                                new Known(
                                        "{{inputs.parameters." + in.name() + "}}",
                                        in.name().equals("q"))));
        return known;
    }

    /** What others may know of a step or task. */
    private static List<Known> gives(String kind, Flow.Member member) {
        List<Known> all = new ArrayList<>();
        String tag = "{{" + kind + "." + member.name() + ".";
        boolean loop = member.loop() != null;
        all.add(new Known(tag + "status}}", false));
        if (member.template().body() instanceof Flow.Leaf) {
            all.add(new Known(tag + "outputs.result}}", loop));
            if (!loop) {
                all.add(new Known(tag + "exitCode}}", false));
            }
        }
        for (Flow.Output out : member.template().outputs()) {
            boolean list = out.name().equals("outs");
            if (!(loop && list)) {
                all.add(new Known(tag + "outputs.parameters." + out.name() + "}}", loop || list));
            }
        }
        return all;
    }

    private void output(List<Known> known, String kind, List<Flow.Output> outputs) {
        List<Known> own =
                known.stream()
                        .filter(k -> k.tag().startsWith("{{" + kind))
                        .filter(k -> k.tag().contains(".outputs.parameters."))
                        .toList();
        if (!own.isEmpty() && !choices.oneIn(2)) {
            Known from = choices.of(own);
            String byDefault = choices.oneIn(2) ? (from.list() ? "[\"6\"]" : "6") : null;
            outputs.add(new Flow.Output(from.list() ? "outs" : "out", from.tag(), byDefault));
        }
    }

    private Flow.Member member(
            String name,
            int depth,
            Flow.@Nullable Needs needs,
            List<String> dependencies,
            List<Known> known) {
        return member(name, depth, needs, dependencies, known, true);
    }

    private Flow.Member member(
            String name,
            int depth,
            Flow.@Nullable Needs needs,
            List<String> dependencies,
            List<Known> known,
            boolean mayGoOn) {
        Flow.Template template = template(depth + 1);
        List<Known> scalars = new ArrayList<>(known.stream().filter(k -> !k.list()).toList());
        List<Known> lists = known.stream().filter(Known::list).toList();
        Flow.Loop loop =
                switch (choices.below(8)) {
                    case 5 -> new Flow.Items(List.of("1", "b", "3").subList(0, choices.below(4)));
                    case 6 -> new Flow.Param(choices.of(lists).tag());
                    case 7 -> new Flow.Sequence(choices.below(4));
                    default -> null;
                };
        if (loop != null) {
            scalars.add(new Known("{{item}}", false));
        }
        Map<String, String> arguments = new LinkedHashMap<>();
        for (Flow.Input in : template.inputs()) {
            if (in.byDefault() != null && choices.oneIn(2)) {
                continue;
            }
            if (in.name().equals("q")) {
                arguments.put("q", choices.of(lists).tag());
            } else {
                String tag = choices.of(scalars).tag();
                arguments.put(
                        "p",
                        switch (choices.below(4)) {
                            case 0 -> "2";
                            case 1 -> "x" + tag;
                            default -> tag;
                        });
            }
        }
        Flow.When when =
                choices.oneIn(4)
                        ? new Flow.When(
                                choices.of(scalars).tag(),
                                choices.oneIn(2),
                                choices.of(List.of("3", "Succeeded", "5", "1")))
                        : null;
        boolean goOn = mayGoOn && choices.oneIn(lenient ? 2 : 5);
        boolean goOnFailed = goOn && !choices.oneIn(3);
        boolean goOnError = goOn && choices.oneIn(2);
        return new Flow.Member(
                name,
                template,
                inline(template),
                arguments,
                needs,
                dependencies,
                when,
                loop,
                goOnFailed,
                goOnError,
                hooks(name, template, loop != null, depth));
    }

    /**
     * Tags of an inline template are first looked up by the step or task that it stands in, so only
     * one without tags means the same inline.
     */
    private boolean inline(Flow.Template template) {
        return choices.oneIn(8)
                && (template.body() instanceof Flow.Leaf || template.body() instanceof Flow.Pause);
    }

    private Map<String, Flow.Hook> hooks(
            String name, Flow.Template template, boolean loop, int depth) {
        Map<String, Flow.Hook> hooks = new LinkedHashMap<>();
        if (choices.oneIn(6)) {
            Flow.Status status =
                    choices.oneIn(3) ? status(List.of("Succeeded", "Failed", "Error")) : null;
            hooks.put(
                    Flow.EXIT,
                    new Flow.Hook(
                            template(choices.oneIn(3) ? Math.max(2, depth + 1) : DEEPEST),
                            choices.oneIn(2) ? given() : null,
                            status));
        }
        if (choices.oneIn(7)) {
            hooks.put(
                    "h",
                    new Flow.Hook(
                            template(DEEPEST),
                            given(),
                            status(
                                    List.of(
                                            "Succeeded",
                                            "Failed",
                                            "Running",
                                            "Pending",
                                            "Error",
                                            "Skipped"))));
        }
        return hooks;
    }
}
