package dev.millrace.workflowengine.validation;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** The variables {@code workflow.*}, known everywhere. */
final class WorkflowScope implements Known {
    private static final List<String> ALWAYS =
            List.of(
                    "workflow.name",
                    "workflow.namespace",
                    "workflow.mainEntrypoint",
                    "workflow.serviceAccountName",
                    "workflow.uid",
                    "workflow.status",
                    "workflow.parameters",
                    "workflow.parameters.json",
                    "workflow.annotations",
                    "workflow.annotations.json",
                    "workflow.labels",
                    "workflow.labels.json");

    /** Resolved at run time, whatever follows. */
    private static final List<String> AT_RUN_TIME =
            List.of(
                    "workflow.creationTimestamp",
                    "workflow.scheduledTime",
                    "workflow.duration",
                    // The controller and the server add these.
                    "workflow.labels.workflows.argoproj.io/",
                    "workflow.annotations.workflows.argoproj.io/");

    /** What the workflow that will use a template may bring. */
    private static final List<String> FROM_WORKFLOW =
            List.of(
                    "workflow.parameters.",
                    "workflow.labels.",
                    "workflow.annotations.",
                    "workflow.outputs.",
                    "workflow.priority",
                    "workflow.failures");

    private final Set<String> names = new HashSet<>(ALWAYS);
    private final Set<String> prefixes = new HashSet<>(AT_RUN_TIME);

    WorkflowScope(Source source, Templates templates) {
        if (source.isTemplate()) {
            prefixes.addAll(FROM_WORKFLOW);
        }
        source.arguments()
                .path("parameters")
                .forEach(p -> names.add("workflow.parameters." + p.path("name").asString("")));
        for (String map : List.of("labels", "annotations")) {
            addKeys(map, source.manifest().path("metadata").path(map));
            addKeys(map, source.manifest().path("spec").path("workflowMetadata").path(map));
            addKeys(map, source.member("workflowMetadata").path(map));
        }
        addKeys("labels", source.member("workflowMetadata").path("labelsFrom"));
        if (source.spec().hasNonNull("priority") || source.base().hasNonNull("priority")) {
            names.add("workflow.priority");
        }
        if (!source.hooks().isEmpty()) {
            names.add("workflow.failures");
        }
        for (PlacedTemplate template : templates.reachable()) {
            for (String kind : List.of("parameters", "artifacts")) {
                template.outputs(kind).forEach(output -> addGlobal(kind, output));
            }
        }
    }

    private void addKeys(String map, JsonNode object) {
        object.propertyNames().forEach(key -> names.add("workflow." + map + "." + key));
    }

    private void addGlobal(String kind, JsonNode output) {
        String global = output.path("globalName").asString("");
        if (global.contains("{{")) {
            prefixes.add("workflow.outputs." + kind + ".");
        } else if (!global.isEmpty()) {
            names.add("workflow.outputs." + kind + "." + global);
        }
    }

    @Override
    public boolean knows(String variable) {
        return names.contains(variable) || prefixes.stream().anyMatch(variable::startsWith);
    }
}
