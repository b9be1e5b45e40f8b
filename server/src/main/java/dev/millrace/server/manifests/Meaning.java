package dev.millrace.server.manifests;

import dev.millrace.eventsources.EventSourceCheck;
import dev.millrace.schemas.manifest.ManifestDocument;
import dev.millrace.schemas.manifest.Problem;
import dev.millrace.sensors.binding.BindingCheck;
import dev.millrace.sensors.definition.SensorDefinition;
import dev.millrace.workflowengine.submission.TemplateLookup;
import dev.millrace.workflowengine.validation.Acceptance;
import dev.millrace.workflowengine.validation.BoundTemplateCheck;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** What is wrong with manifests that their structure does not show: one place for all kinds. */
public final class Meaning {

    private Meaning() {}

    /**
     * Everything that lint says.
     *
     * @param document one that is valid
     * @param tree the manifest, with the namespace that is meant
     * @param now schedules are looked at from here
     */
    public static List<Problem> lint(
            ManifestDocument document, JsonNode tree, TemplateLookup templates, Instant now) {
        return switch (document.manifest().kind()) {
            case WORKFLOW, WORKFLOW_TEMPLATE, CLUSTER_WORKFLOW_TEMPLATE, CRON_WORKFLOW ->
                    Acceptance.check(tree, templates, true, document.places());
            case WORKFLOW_EVENT_BINDING -> {
                List<Problem> problems = new ArrayList<>(BindingCheck.check(document));
                problems.addAll(BoundTemplateCheck.check(tree, templates, document.places()));
                yield problems;
            }
            case EVENT_SOURCE -> EventSourceCheck.check(document, now);
            case SENSOR -> SensorDefinition.check(document);
            case EVENT_BUS, SECRET, CONFIG_MAP -> List.of();
        };
    }

    /** What speaks against storing a definition, as errors; the rest as warnings. */
    public static List<Problem> storing(
            ManifestDocument document, TemplateLookup templates, Instant now) {
        JsonNode tree = document.manifest().tree();
        return switch (document.manifest().kind()) {
            case WORKFLOW_TEMPLATE, CLUSTER_WORKFLOW_TEMPLATE, CRON_WORKFLOW ->
                    lint(document, tree, templates, now);
            case WORKFLOW_EVENT_BINDING -> {
                List<Problem> problems = new ArrayList<>(BindingCheck.check(document));
                // The template may still come.
                problems.addAll(told(BoundTemplateCheck.check(tree, templates, document.places())));
                yield problems;
            }
            // They are stored all the same and say it in their status.
            case EVENT_SOURCE, SENSOR -> told(lint(document, tree, templates, now));
            // A workflow is refused as a whole.
            case WORKFLOW, EVENT_BUS, SECRET, CONFIG_MAP -> List.of();
        };
    }

    private static List<Problem> told(List<Problem> problems) {
        return problems.stream()
                .map(p -> Problem.warning(p.place(), p.path(), p.message(), p.hint()))
                .toList();
    }
}
