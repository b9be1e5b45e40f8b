package dev.millrace.workflowengine.validation;

import dev.millrace.schemas.manifest.NearestName;
import dev.millrace.schemas.manifest.Problem;
import dev.millrace.schemas.yaml.DocumentPath;
import dev.millrace.schemas.yaml.Places;
import dev.millrace.workflowengine.submission.TemplateLookup;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Whether the template of a WorkflowEventBinding is there and gets the arguments that it needs. */
public final class BoundTemplateCheck {

    private static final DocumentPath SUBMIT = DocumentPath.ROOT.key("spec").key("submit");

    private BoundTemplateCheck() {}

    /**
     * @param manifest a binding of sound structure
     */
    public static List<Problem> check(JsonNode manifest, TemplateLookup templates, Places places) {
        JsonNode submit = manifest.path("spec").path("submit");
        if (!submit.isObject()) {
            return List.of();
        }
        JsonNode reference = submit.path("workflowTemplateRef");
        String name = reference.path("name").asString("");
        boolean cluster = reference.path("clusterScope").asBoolean(false);
        String namespace = manifest.path("metadata").path("namespace").asString("");
        DocumentPath path = SUBMIT.key("workflowTemplateRef").key("name");
        if (name.isEmpty()) {
            return List.of(
                    Problem.error(places.of(path), path.toString(), "is required but missing", ""));
        }
        JsonNode template =
                cluster
                        ? templates.clusterWorkflowTemplate(name)
                        : templates.workflowTemplate(namespace, name);
        if (template == null) {
            return List.of(
                    Problem.error(
                            places.of(path),
                            path.toString(),
                            "there is no %s %s"
                                    .formatted(
                                            cluster
                                                    ? "ClusterWorkflowTemplate"
                                                    : "WorkflowTemplate",
                                            name),
                            cluster
                                    ? ""
                                    : "add it, or write clusterScope: true if it is a ClusterWorkflowTemplate"));
        }
        return missing(submit, template, places);
    }

    /** Each event would be refused without them. */
    private static List<Problem> missing(JsonNode submit, JsonNode template, Places places) {
        Set<String> given =
                submit.path("arguments")
                        .path("parameters")
                        .valueStream()
                        .map(parameter -> parameter.path("name").asString(""))
                        .collect(Collectors.toSet());
        DocumentPath path = SUBMIT.key("arguments").key("parameters");
        List<Problem> problems = new ArrayList<>();
        for (JsonNode parameter : template.path("spec").path("arguments").path("parameters")) {
            String name = parameter.path("name").asString("");
            boolean needed = !parameter.has("value") && !parameter.has("valueFrom");
            if (needed && !given.contains(name)) {
                problems.add(
                        Problem.error(
                                places.of(path),
                                path.toString(),
                                "the template needs the parameter '%s'".formatted(name),
                                NearestName.to(name, given)
                                        .map(n -> "did you mean it by '" + n + "'?")
                                        .orElse("add it with valueFrom.event")));
            }
        }
        return problems;
    }
}
