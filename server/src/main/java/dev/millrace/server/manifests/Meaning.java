package dev.millrace.server.manifests;

import dev.millrace.eventsources.EventSourceCheck;
import dev.millrace.schemas.manifest.ManifestDocument;
import dev.millrace.schemas.manifest.Problem;
import dev.millrace.sensors.binding.BindingCheck;
import dev.millrace.sensors.definition.SensorDefinition;
import dev.millrace.workflowengine.submission.TemplateLookup;
import dev.millrace.workflowengine.validation.Acceptance;
import dev.millrace.workflowengine.validation.BoundTemplateCheck;
import dev.millrace.workflowengine.validation.PluginCheck;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What is wrong with manifests that their structure does not show: one place for all kinds. */
public final class Meaning {

    private Meaning() {}

    /**
     * Everything that lint says beside the structure, also of a manifest whose structure is wrong.
     *
     * @param document with the namespace that is meant
     * @param plugins names of the plugins for templates that are there, or null if nobody knows;
     *     asked only if a template needs one
     * @param now schedules are looked at from here
     */
    public static List<Problem> lint(
            ManifestDocument document,
            TemplateLookup templates,
            Supplier<@Nullable Set<String>> plugins,
            Instant now) {
        return document.meaning(sound -> of(sound, templates, plugins, now));
    }

    /** What speaks against storing a definition, as errors; the rest as warnings. */
    public static List<Problem> storing(
            ManifestDocument document, TemplateLookup templates, Set<String> plugins, Instant now) {
        return switch (document.manifest().kind()) {
            case WORKFLOW_TEMPLATE, CLUSTER_WORKFLOW_TEMPLATE, CRON_WORKFLOW ->
                    lint(document, templates, () -> plugins, now);
            case WORKFLOW_EVENT_BINDING -> {
                List<Problem> problems = new ArrayList<>(document.meaning(BindingCheck::check));
                // The template may still come.
                problems.addAll(told(document.meaning(sound -> template(sound, templates))));
                yield problems;
            }
            // They are stored all the same and say it in their status.
            case EVENT_SOURCE, SENSOR -> told(lint(document, templates, () -> plugins, now));
            // A workflow is refused as a whole.
            case WORKFLOW, EVENT_BUS, SECRET, CONFIG_MAP -> List.of();
        };
    }

    private static List<Problem> of(
            ManifestDocument document,
            TemplateLookup templates,
            Supplier<@Nullable Set<String>> plugins,
            Instant now) {
        return switch (document.manifest().kind()) {
            case WORKFLOW, CRON_WORKFLOW -> {
                List<Problem> problems = new ArrayList<>(acceptance(document, templates));
                problems.addAll(plugins(document, templates, plugins));
                yield problems;
            }
            // Somebody may submit them where the plugins are.
            case WORKFLOW_TEMPLATE, CLUSTER_WORKFLOW_TEMPLATE -> {
                List<Problem> problems = new ArrayList<>(acceptance(document, templates));
                problems.addAll(told(plugins(document, templates, plugins)));
                yield problems;
            }
            case WORKFLOW_EVENT_BINDING -> {
                List<Problem> problems = new ArrayList<>(BindingCheck.check(document));
                problems.addAll(template(document, templates));
                yield problems;
            }
            case EVENT_SOURCE -> EventSourceCheck.check(document, now);
            case SENSOR -> SensorDefinition.check(document);
            case EVENT_BUS, SECRET, CONFIG_MAP -> List.of();
        };
    }

    private static List<Problem> acceptance(ManifestDocument document, TemplateLookup templates) {
        return Acceptance.check(document.manifest().tree(), templates, true, document.places());
    }

    private static List<Problem> plugins(
            ManifestDocument document,
            TemplateLookup templates,
            Supplier<@Nullable Set<String>> plugins) {
        JsonNode manifest = document.manifest().tree();
        if (PluginCheck.check(manifest, templates, Set.of(), document.places()).isEmpty()) {
            return List.of();
        }
        Set<String> known = plugins.get();
        return known == null
                ? List.of()
                : PluginCheck.check(manifest, templates, known, document.places());
    }

    private static List<Problem> template(ManifestDocument document, TemplateLookup templates) {
        return BoundTemplateCheck.check(document.manifest().tree(), templates, document.places());
    }

    private static List<Problem> told(List<Problem> problems) {
        return problems.stream()
                .map(p -> Problem.warning(p.place(), p.path(), p.message(), p.hint()))
                .toList();
    }
}
