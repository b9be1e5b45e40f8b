package dev.millrace.workflowengine.validation;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The variables within a template: its inputs, its siblings, the item of a loop. */
final class Scopes {
    private static final Set<String> OF_EVERY_NODE =
            Set.of("id", "status", "startedAt", "finishedAt", "hostNodeName");

    private Scopes() {}

    /** What the body of a template can refer to by itself. */
    static Known ofTemplate(PlacedTemplate template) {
        Set<String> names = new HashSet<>(Set.of("inputs.parameters", "pod.name"));
        template.inputs("parameters")
                .forEach(p -> names.add("inputs.parameters." + p.path("name").asString("")));
        template.inputs("artifacts")
                .forEach(
                        a -> {
                            String variable = "inputs.artifacts." + a.path("name").asString("");
                            names.add(variable);
                            names.add(variable + ".path");
                        });
        return variable ->
                names.contains(variable)
                        // Metrics and paths of a template's own outputs.
                        || variable.startsWith("outputs.")
                        // The caller of the template, only known when it is called.
                        || variable.equals("steps.name")
                        || variable.equals("tasks.name");
    }

    /** The item of a loop. */
    static Known ofLoop(Call call) {
        if (call.node().hasNonNull("withParam")) {
            return variable -> variable.equals("item") || variable.startsWith("item.");
        }
        Set<String> names = new HashSet<>();
        if (call.isLoop()) {
            names.add("item");
        }
        for (JsonNode item : call.node().path("withItems")) {
            item.propertyNames().forEach(key -> names.add("item." + key));
            if (item.isString() && item.asString().contains("{{")) {
                return variable -> variable.equals("item") || variable.startsWith("item.");
            }
        }
        return names::contains;
    }

    /**
     * Steps or tasks that are called before.
     *
     * @param root {@code steps} or {@code tasks}
     * @param earlier which of them have ended where the tag stands
     */
    static Known ofSiblings(String root, Map<String, Sibling> siblings, Predicate<String> earlier) {
        String prefix = root + ".";
        return variable -> {
            if (!variable.startsWith(prefix)) {
                return false;
            }
            int dot = variable.indexOf('.', prefix.length());
            if (dot < 0) {
                return false;
            }
            String name = variable.substring(prefix.length(), dot);
            Sibling sibling = siblings.get(name);
            return sibling != null
                    && earlier.test(name)
                    && sibling.has(variable.substring(dot + 1));
        };
    }

    /**
     * A step or task that others may refer to.
     *
     * @param template what it calls; null if that is not known, which is a problem of its own
     */
    record Sibling(@Nullable PlacedTemplate template, boolean loop) {
        boolean has(String member) {
            if (template == null || OF_EVERY_NODE.contains(member)) {
                return true;
            }
            return switch (member) {
                // Stored where logs are kept.
                case "outputs.artifacts.main-logs" ->
                        template.types().stream().anyMatch(TemplateType::isPod);
                case "ip" -> template.isDaemon();
                case "exitCode", "outputs.exitCode", "outputs.result" ->
                        template.types().stream().anyMatch(TemplateType::hasResult);
                case "outputs.parameters" -> loop || !template.outputs("parameters").isEmpty();
                default ->
                        isOutput(member, "parameters", template)
                                || isOutput(member, "artifacts", template);
            };
        }

        private static boolean isOutput(String member, String kind, PlacedTemplate template) {
            String prefix = "outputs." + kind + ".";
            return member.startsWith(prefix)
                    && template.hasOutput(kind, member.substring(prefix.length()));
        }
    }
}
