package dev.millrace.workflowengine.validation;

import dev.millrace.schemas.manifest.Problem;
import dev.millrace.schemas.yaml.Places;
import dev.millrace.workflowengine.submission.TemplateLookup;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/** Whether the plugins that templates name are there. Only a server knows that. */
public final class PluginCheck {

    private PluginCheck() {}

    /**
     * An error for each template, also one of another object, whose plugin is not there.
     *
     * @param manifest of sound structure and meaning
     * @param plugins names of those that are there
     */
    public static List<Problem> check(
            JsonNode manifest, TemplateLookup templates, Set<String> plugins, Places places) {
        Findings findings = new Findings(places);
        for (PlacedTemplate template :
                new Templates(Source.of(manifest, templates), templates).reachable()) {
            for (String name : template.body().path("plugin").propertyNames()) {
                if (!plugins.contains(name)) {
                    findings.error(
                            template.where().key("plugin").key(name),
                            template.label() + " needs a plugin that is not there: " + name,
                            plugins.isEmpty()
                                    ? "say where it listens in the setting executorPlugins"
                                    : "there are "
                                            + String.join(", ", new TreeSet<>(plugins))
                                            + " (setting executorPlugins)");
                }
            }
        }
        return findings.inOrderOf(manifest);
    }
}
