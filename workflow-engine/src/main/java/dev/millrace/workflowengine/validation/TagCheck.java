package dev.millrace.workflowengine.validation;

import dev.millrace.expressions.expr.ExprOptions;
import dev.millrace.expressions.expr.ExprProgram;
import dev.millrace.expressions.expr.ExprSyntaxException;
import dev.millrace.expressions.tag.Tag;
import dev.millrace.expressions.tag.TagTemplate;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Finds tags that can never be resolved. Others than those with a known beginning are text of the
 * user: scripts hold templates of other languages.
 */
final class TagCheck {
    private static final List<String> BEGINNINGS =
            List.of("item.", "steps.", "inputs.", "outputs.", "pod.", "workflow.", "tasks.");

    private final Findings findings;
    private final Vocabulary vocabulary;

    TagCheck(Findings findings, Vocabulary vocabulary) {
        this.findings = findings;
        this.vocabulary = vocabulary;
    }

    /**
     * Checks all texts of a tree.
     *
     * @param except members of the tree itself that are checked elsewhere
     */
    void check(JsonNode tree, Where where, String label, Known known, Set<String> except) {
        if (tree.isString()) {
            text(tree.asString(), where, label, known);
        } else if (tree.isArray()) {
            for (int i = 0; i < tree.size(); i++) {
                check(tree.get(i), where.index(i), label, known, Set.of());
            }
        } else {
            for (Map.Entry<String, JsonNode> member : tree.properties()) {
                if (member.getKey().equals("fromExpression")) {
                    references(
                            member.getValue().asString(""),
                            where.key(member.getKey()),
                            label + " fromExpression",
                            known);
                } else if (!except.contains(member.getKey())) {
                    check(member.getValue(), where.key(member.getKey()), label, known, Set.of());
                }
            }
        }
    }

    private void text(String text, Where where, String label, Known known) {
        if (!text.contains("{{")) {
            return;
        }
        for (Tag tag : TagTemplate.parse(text).tags()) {
            switch (tag) {
                case Tag.Simple(String name) -> {
                    if (BEGINNINGS.stream().anyMatch(name::startsWith) && !known.knows(name)) {
                        findings.error(
                                where,
                                label + " failed to resolve {{" + name + "}}",
                                meant(name, known, name));
                    }
                }
                case Tag.Expression(String source) -> {
                    String tagLabel = label + " expression tag {{=" + source + "}}";
                    ExprProgram program = expression(source, where, tagLabel);
                    if (program != null) {
                        members(program, where, tagLabel, known);
                    }
                }
            }
        }
    }

    /** An expression without the braces of a tag; that it is one is checked elsewhere. */
    private void references(String source, Where where, String label, Known known) {
        if (source.contains("{{")) {
            text(source, where, label, known);
            return;
        }
        try {
            members(ExprProgram.compile(source, ExprOptions.workflows()), where, label, known);
        } catch (ExprSyntaxException e) {
            return; // Said by the check of its artifact.
        }
    }

    /** An expression may ask for what is not there; that it means to is not likely. */
    private void members(ExprProgram program, Where where, String label, Known known) {
        for (List<String> path : program.memberPaths()) {
            String root = path.getFirst();
            boolean node = path.size() > 2 && (root.equals("steps") || root.equals("tasks"));
            boolean input = path.size() > 2 && root.equals("inputs");
            String member = root + "." + path.get(Math.min(1, path.size() - 1)) + ".id";
            if (node && !known.knows(member)) {
                findings.warning(
                        where,
                        label
                                + " refers to "
                                + root
                                + "."
                                + path.get(1)
                                + ", which is not known here",
                        meant(member, known, root));
            }
            if (input && !known.knows(String.join(".", path.subList(0, 3)))) {
                findings.warning(
                        where,
                        label
                                + " refers to "
                                + String.join(".", path)
                                + ", which is not known here",
                        meant(String.join(".", path.subList(0, 3)), known, root));
            }
        }
    }

    /** Checks the syntax of an expression; returns null if it is none. */
    @Nullable ExprProgram expression(String source, Where where, String label) {
        if (source.contains("{{")) {
            return null;
        }
        try {
            return ExprProgram.compile(source, ExprOptions.workflows());
        } catch (ExprSyntaxException e) {
            findings.error(where, label + " cannot be compiled: " + e.getMessage());
            return null;
        }
    }

    private String meant(String variable, Known known, String name) {
        return vocabulary
                .meant(variable, known)
                .map(nearest -> "did you mean " + nearest + "?")
                .orElseGet(() -> hint(name));
    }

    private static String hint(String name) {
        String[] parts = name.split("\\.", 3);
        return switch (parts[0]) {
            case "item" ->
                    "items are known in the steps or tasks that loop, and only by the keys that the items have; templates that they call get them as arguments";
            case "steps", "tasks" ->
                    "it must be a %s that ends before this one starts, and an output that its template declares; ip is for daemons"
                            .formatted(
                                    parts[0].equals("steps")
                                            ? "step of an earlier group"
                                            : "task that this one depends on");
            case "inputs" -> "declare it in the inputs of this template";
            case "pod" -> "the only variable of the pod is pod.name";
            default ->
                    name.startsWith("workflow.parameters.")
                            ? "declare it in spec.arguments.parameters"
                            : name.startsWith("workflow.outputs.")
                                    ? "no template has an output of this globalName"
                                    : "the workflow has no such variable";
        };
    }
}
