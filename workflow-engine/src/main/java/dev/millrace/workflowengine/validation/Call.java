package dev.millrace.workflowengine.validation;

import dev.millrace.schemas.Json;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * A place where one template calls another.
 *
 * @param node holds {@code template}, {@code templateRef} or {@code inline}, and arguments
 * @param label what messages call it, such as {@code templates.main.steps[0].a}
 */
record Call(Role role, JsonNode node, Where where, String label) {

    /** What the call is to its caller. */
    enum Role {
        MEMBER,
        EXIT_HOOK,
        /** The older way to write an exit hook: only the name of the template. */
        ON_EXIT,
        HOOK
    }

    String name() {
        return node.path("name").asString("");
    }

    boolean isExit() {
        return role == Role.EXIT_HOOK || role == Role.ON_EXIT;
    }

    /** Where the name of the template stands. */
    Where templateWhere() {
        return role == Role.ON_EXIT ? where : where.key("template");
    }

    boolean isLoop() {
        return node.hasNonNull("withItems")
                || node.hasNonNull("withParam")
                || node.hasNonNull("withSequence");
    }

    /** The steps or tasks of a template, in order; those of a step group follow each other. */
    static List<Call> members(PlacedTemplate template) {
        List<Call> calls = new ArrayList<>();
        JsonNode groups = template.body().path("steps");
        for (int g = 0; g < groups.size(); g++) {
            calls.addAll(group(template, g));
        }
        JsonNode tasks = template.body().path("dag").path("tasks");
        Where where = template.where().key("dag").key("tasks");
        for (int i = 0; i < tasks.size(); i++) {
            JsonNode task = tasks.get(i);
            String name = task.path("name").asString("");
            calls.add(
                    new Call(
                            Role.MEMBER,
                            task,
                            where.index(i),
                            template.label()
                                    + ".tasks"
                                    + (name.isEmpty() ? "[" + i + "]" : "." + name)));
        }
        return calls;
    }

    /** The steps of one group. */
    static List<Call> group(PlacedTemplate template, int group) {
        List<Call> calls = new ArrayList<>();
        JsonNode members = template.body().path("steps").path(group);
        Where where = template.where().key("steps").index(group);
        for (int i = 0; i < members.size(); i++) {
            JsonNode step = members.get(i);
            String name = step.path("name").asString("");
            calls.add(
                    new Call(
                            Role.MEMBER,
                            step,
                            where.index(i),
                            template.label()
                                    + ".steps["
                                    + group
                                    + "]"
                                    + (name.isEmpty() ? "" : "." + name)));
        }
        return calls;
    }

    /** The hooks of this call, of a template or of a workflow, {@code onExit} among them. */
    static List<Call> hooks(JsonNode owner, Where where, String label) {
        List<Call> calls = new ArrayList<>();
        owner.path("hooks")
                .properties()
                .forEach(
                        hook ->
                                calls.add(
                                        new Call(
                                                hook.getKey().equals("exit")
                                                        ? Role.EXIT_HOOK
                                                        : Role.HOOK,
                                                hook.getValue(),
                                                where.key("hooks").key(hook.getKey()),
                                                label + ".hooks." + hook.getKey())));
        String onExit = owner.path("onExit").asString("");
        if (!onExit.isEmpty()) {
            calls.add(
                    new Call(
                            Role.ON_EXIT,
                            Json.object().put("template", onExit),
                            where.key("onExit"),
                            label + ".onExit"));
        }
        return calls;
    }

    List<Call> hooks() {
        return hooks(node, where, label);
    }
}
