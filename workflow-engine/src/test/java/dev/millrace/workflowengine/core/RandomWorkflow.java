package dev.millrace.workflowengine.core;

import java.util.List;
import java.util.Random;

/**
 * Makes the spec of a random workflow: steps and DAGs in each other, loops, conditions, retries,
 * pauses, limits, hooks, artifacts.
 */
final class RandomWorkflow {
    private final Random random;
    private final boolean locks;
    private final StringBuilder templates = new StringBuilder();
    private int count;

    RandomWorkflow(Random random) {
        this(random, false);
    }

    /**
     * @param locks whether the workflow and its templates may take locks
     */
    RandomWorkflow(Random random, boolean locks) {
        this.random = random;
        this.locks = locks;
    }

    String spec() {
        String entry = template(0);
        StringBuilder spec = new StringBuilder("entrypoint: " + entry + "\n");
        if (chance(3)) {
            spec.append("onExit: ").append(template(3)).append('\n');
        }
        if (chance(4)) {
            spec.append("parallelism: ").append(1 + random.nextInt(3)).append('\n');
        }
        spec.append("artifactGC: {strategy: ")
                .append(
                        List.of("OnWorkflowCompletion", "OnWorkflowDeletion", "Never")
                                .get(random.nextInt(3)))
                .append("}\n");
        if (locks && chance(3)) {
            spec.append("synchronization: {mutexes: [{name: whole}]}\n");
        }
        return spec.append("templates:\n").append(templates).toString();
    }

    private boolean chance(int oneIn) {
        return random.nextInt(oneIn) == 0;
    }

    private String template(int depth) {
        String name = "t" + count++;
        int kind = depth >= 3 ? 0 : random.nextInt(5);
        StringBuilder body = new StringBuilder("- name: " + name + "\n");
        if (chance(4)) {
            body.append("  retryStrategy: {limit: ")
                    .append(random.nextInt(3))
                    .append(chance(2) ? ", backoff: {duration: 3s, factor: 2}" : "")
                    .append(chance(2) ? ", retryPolicy: Always" : "")
                    .append("}\n");
        }
        boolean leaf = kind == 0;
        body.append("  inputs: {artifacts: [{name: in, optional: ")
                .append(!chance(8))
                .append(leaf ? ", path: /in" : "")
                .append("}]}\n");
        if (locks && chance(3)) {
            body.append("  synchronization: {mutexes: [{name: ").append(name).append("}]}\n");
        }
        switch (kind) {
            case 1, 2 -> {
                limits(body);
                body.append(passedOn("steps.s00"));
                body.append("  steps:\n");
                int groups = 1 + random.nextInt(3);
                for (int g = 0; g < groups; g++) {
                    int members = 1 + random.nextInt(3);
                    for (int m = 0; m < members; m++) {
                        String before = "s" + random.nextInt(g + 1) + random.nextInt(2);
                        body.append(m == 0 ? "  - - " : "    - ")
                                .append(member("s" + g + m, depth, "", "steps." + before))
                                .append('\n');
                    }
                }
            }
            case 3, 4 -> {
                limits(body);
                body.append(passedOn("tasks.k0"));
                body.append("  dag:\n    tasks:\n");
                int tasks = 1 + random.nextInt(5);
                for (int i = 0; i < tasks; i++) {
                    String before = "tasks.k" + random.nextInt(i + 1);
                    body.append("    - ")
                            .append(member("k" + i, depth, depends(i), before))
                            .append('\n');
                }
            }
            default -> {
                if (chance(8)) {
                    body.append("  suspend: {duration: \"2\"}\n");
                } else {
                    body.append("  container: {image: busybox, command: [run]}\n");
                    body.append(
                                    "  outputs: {parameters: [{name: out, valueFrom: {path: /out, default: none}}], artifacts: [{name: art, path: /art")
                            .append(chance(3) ? ", globalName: g" : "")
                            .append(chance(4) ? ", artifactGC: {strategy: Never}" : "")
                            .append("}]}\n");
                }
            }
        }
        templates.append(body);
        return name;
    }

    /** What a template gives is often what one of its members gave. */
    private String passedOn(String member) {
        return chance(3)
                ? ""
                : "  outputs: {artifacts: [{name: art, from: \"{{"
                        + member
                        + ".outputs.artifacts.art}}\", optional: "
                        + !chance(6)
                        + "}]}\n";
    }

    private String argument(String before) {
        String from = chance(3) ? "inputs.artifacts.in" : before + ".outputs.artifacts.art";
        return ", arguments: {artifacts: [{name: in, from: \"{{"
                + from
                + "}}\", optional: "
                + !chance(6)
                + (chance(4) ? ", subPath: part" : "")
                + "}]}";
    }

    private void limits(StringBuilder body) {
        if (chance(4)) {
            body.append("  parallelism: ").append(1 + random.nextInt(2)).append('\n');
        }
        if (chance(6)) {
            body.append("  failFast: true\n");
        }
    }

    private String depends(int index) {
        if (index == 0 || chance(4)) {
            return "";
        }
        String[] results = {"", ".Succeeded", ".Failed", ".Errored", ".Skipped", ".Omitted"};
        StringBuilder text = new StringBuilder();
        int terms = 1 + random.nextInt(Math.min(2, index));
        for (int i = 0; i < terms; i++) {
            text.append(i == 0 ? "" : chance(2) ? " && " : " || ")
                    .append(chance(6) ? "!" : "")
                    .append("k")
                    .append(random.nextInt(index))
                    .append(results[random.nextInt(results.length)]);
        }
        return ", depends: \"" + text + "\"";
    }

    private String member(String name, int depth, String extra, String before) {
        StringBuilder text =
                new StringBuilder("{name: " + name + ", template: " + template(depth + 1) + extra);
        if (chance(4)) {
            text.append(", withSequence: {count: ").append(random.nextInt(5)).append("}");
        }
        if (!chance(3)) {
            text.append(argument(before));
        }
        if (chance(5)) {
            text.append(", when: \"").append(random.nextInt(2)).append(" == 1\"");
        }
        if (chance(5) && !extra.contains("depends")) {
            text.append(", continueOn: {failed: true, error: ").append(chance(2)).append("}");
        }
        if (chance(6)) {
            text.append(", onExit: ").append(template(3));
        }
        return text.append("}").toString();
    }
}
