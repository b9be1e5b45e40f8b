package dev.millrace.workflowengine.validation;

import dev.millrace.schemas.manifest.Problem;
import dev.millrace.schemas.yaml.Places;
import dev.millrace.workflowengine.submission.TemplateLookup;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/**
 * What is wrong with the meaning of a Workflow, WorkflowTemplate, ClusterWorkflowTemplate or
 * CronWorkflow, all of it at once. Each template is checked once, for whatever its callers may give
 * it, so the work grows with the manifest and the templates that it refers to.
 */
public final class WorkflowValidator {

    private WorkflowValidator() {}

    /**
     * {@link #validate(JsonNode, TemplateLookup, boolean, Places)} for a manifest without a text.
     * The source of the problems' places is the kind in small letters.
     */
    public static List<Problem> validate(
            JsonNode manifest, TemplateLookup templates, boolean lint) {
        return validate(manifest, templates, lint, nowhere(manifest));
    }

    /**
     * Validates a manifest of sound structure. The messages begin as the workflow controller's do:
     * {@code templates.main.steps[0].a …}.
     *
     * @param manifest the whole object
     * @param templates where references are looked up; one that leads nowhere is an error
     * @param lint whether arguments may lack a value, as templates' may always
     * @param places where the members of the manifest stand in its text
     * @return errors and warnings in the order of the manifest; empty for other kinds
     */
    public static List<Problem> validate(
            JsonNode manifest, TemplateLookup templates, boolean lint, Places places) {
        return findings(manifest, templates, lint, places).inOrderOf(manifest);
    }

    static Findings findings(
            JsonNode manifest, TemplateLookup templates, boolean lint, Places places) {
        Findings findings = new Findings(places);
        Source source = Source.of(manifest, templates);
        switch (source.kind()) {
            case "Workflow", "WorkflowTemplate", "ClusterWorkflowTemplate" ->
                    check(source, templates, lint, findings);
            case "CronWorkflow" -> {
                new CronCheck(findings).check(manifest.path("spec"));
                // Nobody is there to give the arguments that it lacks.
                check(source, templates, false, findings);
            }
            default -> {}
        }
        return findings;
    }

    private static void check(
            Source source, TemplateLookup lookup, boolean lint, Findings findings) {
        Templates templates = new Templates(source, lookup);
        Known workflow = new WorkflowScope(source, templates);
        TagCheck tags = new TagCheck(findings, new Vocabulary(source.spec(), source.base()));
        ParameterCheck parameters = new ParameterCheck(findings, tags);
        CallCheck calls = new CallCheck(source, templates, findings, tags, parameters, lint);
        new SpecCheck(source, templates, findings, lint).check(tags, parameters, calls, workflow);
        TemplateCheck check = new TemplateCheck(findings, tags, parameters, calls, workflow);
        // An inline template is checked with the step that holds it, whose variables it knows.
        templates.reachable().stream().filter(t -> !t.inline()).forEach(check::check);
    }

    static Places nowhere(JsonNode manifest) {
        return Places.nowhere(manifest.path("kind").asString("manifest").toLowerCase(Locale.ROOT));
    }
}
