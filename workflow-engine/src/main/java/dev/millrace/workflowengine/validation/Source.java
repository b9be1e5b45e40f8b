package dev.millrace.workflowengine.validation;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.manifest.Manifest;
import dev.millrace.workflowengine.submission.TemplateLookup;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The spec to check: the manifest's own, over that of its {@code workflowTemplateRef} if it has
 * one.
 *
 * @param namespace where names of templates are looked up
 * @param base spec of the referenced object; missing if there is none
 * @param baseFound false if there is a reference and it leads nowhere
 */
record Source(
        JsonNode manifest,
        String kind,
        String namespace,
        JsonNode spec,
        Where where,
        JsonNode base,
        boolean baseFound) {

    /** A template of the source, raw. */
    record Entry(JsonNode body, Where where) {}

    static Source of(JsonNode manifest, TemplateLookup lookup) {
        String kind = manifest.path("kind").asString("");
        String written = manifest.path("metadata").path("namespace").asString("");
        String namespace = written.isEmpty() ? Manifest.DEFAULT_NAMESPACE : written;
        Where where = Where.ROOT.key("spec");
        JsonNode spec = manifest.path("spec");
        if (kind.equals("CronWorkflow")) {
            where = where.key("workflowSpec");
            spec = spec.path("workflowSpec");
        }
        JsonNode ref = spec.path("workflowTemplateRef");
        JsonNode found = ref.isObject() ? object(lookup, namespace, ref) : null;
        return new Source(
                manifest,
                kind,
                namespace,
                spec,
                where,
                found == null ? MissingNode.getInstance() : found.path("spec"),
                !ref.isObject() || found != null);
    }

    /** The object that a reference names, or null. */
    static @Nullable JsonNode object(TemplateLookup lookup, String namespace, JsonNode ref) {
        String name = ref.path("name").asString("");
        return ref.path("clusterScope").asBoolean(false)
                ? lookup.clusterWorkflowTemplate(name)
                : lookup.workflowTemplate(namespace, name);
    }

    /** Whether it is a template, so that what a workflow brings may be missing. */
    boolean isTemplate() {
        return kind.equals("WorkflowTemplate") || kind.equals("ClusterWorkflowTemplate");
    }

    JsonNode member(String name) {
        return spec.hasNonNull(name) ? spec.path(name) : base.path(name);
    }

    Where whereOf(String name) {
        return spec.hasNonNull(name) || !base.hasNonNull(name) ? where.key(name) : reference();
    }

    /** The place of {@link #arguments()}; of merged ones, whose order is another, as a whole. */
    Where whereOfArguments() {
        return base.hasNonNull("arguments")
                ? whereOf("arguments").reference()
                : whereOf("arguments");
    }

    /** The place of what the referenced object brings. */
    Where reference() {
        return where.key("workflowTemplateRef").reference();
    }

    /** The arguments of the workflow, merged by name. */
    ObjectNode arguments() {
        ObjectNode merged = Json.object();
        for (String list : List.of("parameters", "artifacts")) {
            Map<String, JsonNode> byName = new LinkedHashMap<>();
            for (JsonNode from : List.of(base, spec)) {
                for (JsonNode argument : from.path("arguments").path(list)) {
                    byName.merge(argument.path("name").asString(""), argument, Source::over);
                }
            }
            byName.values().forEach(merged.putArray(list)::add);
        }
        return merged;
    }

    private static JsonNode over(JsonNode below, JsonNode above) {
        ObjectNode both = ((ObjectNode) below).deepCopy();
        both.setAll((ObjectNode) above);
        return both;
    }

    /** The templates that plain names mean, in order. */
    List<Entry> templates() {
        List<Entry> entries = new ArrayList<>();
        JsonNode own = spec.path("templates");
        for (int i = 0; i < own.size(); i++) {
            entries.add(new Entry(own.get(i), where.key("templates").index(i)));
        }
        base.path("templates").forEach(t -> entries.add(new Entry(t, reference())));
        return entries;
    }

    /** The hooks of the workflow, {@code onExit} among them. */
    List<Call> hooks() {
        List<Call> hooks = new ArrayList<>(Call.hooks(spec, where, "spec"));
        Call.hooks(base, reference(), "spec").stream()
                .filter(h -> hooks.stream().noneMatch(own -> own.label().equals(h.label())))
                .forEach(hooks::add);
        return hooks;
    }
}
