package dev.millrace.workflowengine.model;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.NodeType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;

/** What tags inside a Steps or DAG template, or in the workflow's own texts, stand for. */
final class SlowScope {
    private static final Pattern TAG = Pattern.compile("\\{\\{([^{}]+)}}");
    private static final String PARAMETER = "outputs.parameters.";

    /** An output that a skipped or omitted sibling does not have. */
    private static final String ABSENT = "\0";

    private final SlowTree tree;

    /** The Steps or DAG node; absent for the workflow. */
    private final @Nullable Spot boundary;

    /** The hooked node, which its hooks know by its declared name. */
    private final @Nullable Spot self;

    private final @Nullable String item;

    SlowScope(SlowTree tree, @Nullable Spot boundary, @Nullable Spot self, @Nullable String item) {
        this.tree = tree;
        this.boundary = boundary;
        this.self = self;
        this.item = item;
    }

    SlowScope withItem(String item) {
        return new SlowScope(tree, boundary, self, item);
    }

    static String text(Flow.When when) {
        return when.left() + (when.equal() ? " == " : " != ") + when.right();
    }

    /**
     * Why a step or task is skipped; null if it is not.
     *
     * @throws Unfit if the condition cannot be decided
     */
    @Nullable String skips(Flow.@Nullable When when) throws Unfit {
        if (when == null) {
            return null;
        }
        boolean equal = fill(when.left()).equals(fill(when.right()));
        return equal == when.equal() ? null : "when '" + fill(text(when)) + "' evaluated false";
    }

    /**
     * Arguments with their values; without a value what is exactly one tag of something absent.
     * Items are filled in later where there is none yet.
     */
    Map<String, @Nullable String> arguments(Map<String, String> arguments) throws Unfit {
        Map<String, @Nullable String> filled = new LinkedHashMap<>();
        for (Map.Entry<String, String> e : arguments.entrySet()) {
            Matcher tag = TAG.matcher(e.getValue());
            boolean absent = tag.matches() && ABSENT.equals(value(tag.group(1)));
            filled.put(e.getKey(), absent ? null : fill(e.getValue()));
        }
        return filled;
    }

    /**
     * The text with its tags replaced.
     *
     * @throws Unfit if there is no value for one of them
     */
    String fill(String text) throws Unfit {
        Matcher tag = TAG.matcher(text);
        StringBuilder filled = new StringBuilder();
        while (tag.find()) {
            String name = tag.group(1);
            if (name.equals("item") && item == null) {
                tag.appendReplacement(filled, Matcher.quoteReplacement(tag.group()));
                continue;
            }
            String value = value(name);
            if (value == null) {
                throw new Unfit("failed to resolve {{" + name + "}}");
            }
            if (value.equals(ABSENT)) {
                throw new Unfit(
                        "unable to substitute {{"
                                + name
                                + "}}: output is an absent optional (skipped/omitted node with no default)");
            }
            tag.appendReplacement(filled, Matcher.quoteReplacement(value));
        }
        return tag.appendTail(filled).toString();
    }

    private @Nullable String value(String name) {
        if (name.equals("item")) {
            return item;
        }
        if (name.startsWith("workflow.parameters.")) {
            return tree.flow.arguments().get(name.substring("workflow.parameters.".length()));
        }
        if (name.startsWith("inputs.parameters.") && boundary != null) {
            return boundary.inputs.get(name.substring("inputs.parameters.".length()));
        }
        String[] parts = name.split("\\.", 3);
        return parts.length == 3 && (parts[0].equals("steps") || parts[0].equals("tasks"))
                ? sibling(parts[1], parts[2])
                : null;
    }

    private @Nullable String sibling(String name, String field) {
        if (self != null && self.call.member() != null && self.call.member().name().equals(name)) {
            return field(self, field);
        }
        if (boundary == null) {
            return null;
        }
        if (boundary.template().body() instanceof Flow.Steps(var groups)) {
            for (int i = 0; i < groups.size(); i++) {
                for (Flow.Member member : groups.get(i)) {
                    if (member.name().equals(name)) {
                        String group = boundary.name() + "[" + i + "]";
                        Spot spot = tree.find(group + "." + name);
                        return spot != null
                                ? field(spot, field)
                                : loop(tree.find(group), group + "." + name + "(", field);
                    }
                }
            }
            return null;
        }
        Spot task = tree.find(boundary.name() + "." + name);
        return task != null && task.type == NodeType.TASK_GROUP
                ? loop(task, task.name() + "(", field)
                : task == null ? null : field(task, field);
    }

    private static @Nullable String field(Spot spot, String field) {
        boolean neverRan = spot.phase == NodePhase.SKIPPED || spot.phase == NodePhase.OMITTED;
        if (field.equals("status")) {
            return spot.phase.text();
        }
        if (field.equals("exitCode")) {
            return spot.exitCode;
        }
        if (field.equals("outputs.result")) {
            return neverRan ? ABSENT : spot.result;
        }
        String parameter = field.substring(PARAMETER.length());
        if (neverRan) {
            for (Flow.Output out : spot.template().outputs()) {
                if (out.name().equals(parameter) && out.byDefault() != null) {
                    return out.byDefault();
                }
            }
            return ABSENT;
        }
        return spot.outputs == null ? null : spot.outputs.get(parameter);
    }

    /** What the items of a loop that succeeded gave; the status is that of what is around them. */
    private @Nullable String loop(@Nullable Spot around, String prefix, String field) {
        if (around == null || !around.fulfilled()) {
            return null;
        }
        if (field.equals("status")) {
            return around.phase.text();
        }
        List<Spot> items = new ArrayList<>();
        for (Spot child : around.children) {
            if (child.name().startsWith(prefix) && child.phase == NodePhase.SUCCEEDED) {
                items.add(child);
            }
        }
        ArrayNode list = Json.mapper().createArrayNode();
        if (field.equals("outputs.result")) {
            items.stream()
                    .filter(i -> i.result != null)
                    .forEach(i -> list.add(Json.mapper().readTree(i.result)));
            return list.toString();
        }
        if (!field.startsWith(PARAMETER)) {
            return null;
        }
        String parameter = field.substring(PARAMETER.length());
        List<String> values =
                items.stream()
                        .filter(i -> i.outputs != null && i.outputs.containsKey(parameter))
                        .map(i -> i.outputs.get(parameter))
                        .toList();
        if (!values.isEmpty() && values.stream().allMatch(v -> v.startsWith("["))) {
            values.forEach(v -> list.add(Json.mapper().readTree(v)));
        } else {
            values.forEach(list::add);
        }
        return list.toString();
    }
}
