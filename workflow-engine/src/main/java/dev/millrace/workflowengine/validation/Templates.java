package dev.millrace.workflowengine.validation;

import dev.millrace.workflowengine.submission.TemplateLookup;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The templates that a manifest holds and those that they call in other objects. Each is there
 * once, however often it is called, also by itself.
 */
final class Templates {
    private final Source source;
    private final TemplateLookup lookup;
    private final JsonNode defaults;
    private final Map<String, PlacedTemplate> own = new LinkedHashMap<>();
    private final List<PlacedTemplate> reachable = new ArrayList<>();
    private final Map<String, @Nullable JsonNode> objects = new HashMap<>();
    private final Map<String, PlacedTemplate> foreign = new HashMap<>();

    /** What a call leads to. */
    sealed interface Target {
        record Found(PlacedTemplate template) implements Target {}

        record Missing(Where where, String message, String hint) implements Target {}
    }

    Templates(Source source, TemplateLookup lookup) {
        this.source = source;
        this.lookup = lookup;
        this.defaults = source.member("templateDefaults");
        for (Source.Entry entry : source.templates()) {
            String name = entry.body().path("name").asString("");
            PlacedTemplate template =
                    new PlacedTemplate(
                            "",
                            name,
                            false,
                            withDefaults(entry.body()),
                            entry.where(),
                            "templates." + name);
            own.putIfAbsent(name, template);
            reachable.add(template);
        }
        follow();
    }

    /** Every template of the manifest, called or not, and what they call elsewhere. */
    List<PlacedTemplate> reachable() {
        return reachable;
    }

    private void follow() {
        Deque<PlacedTemplate> open = new ArrayDeque<>(reachable);
        Set<String> seen = new HashSet<>();
        source.hooks().forEach(hook -> enqueue("", hook, open, seen));
        while (!open.isEmpty()) {
            PlacedTemplate template = open.remove();
            for (Call call : Call.members(template)) {
                enqueue(template.scope(), call, open, seen);
                call.hooks().forEach(hook -> enqueue(template.scope(), hook, open, seen));
            }
            Call.hooks(template.body(), template.where(), template.label())
                    .forEach(hook -> enqueue(template.scope(), hook, open, seen));
        }
    }

    private void enqueue(String scope, Call call, Deque<PlacedTemplate> open, Set<String> seen) {
        if (target(scope, call) instanceof Target.Found(PlacedTemplate template)) {
            boolean isNew =
                    template.inline()
                            || (!template.scope().isEmpty()
                                    && seen.add(template.scope() + "/" + template.name()));
            if (isNew) {
                open.add(template);
                reachable.add(template);
            }
        }
    }

    /** What a call in a template of this scope means. */
    Target target(String scope, Call call) {
        JsonNode node = call.node();
        if (node.path("inline").isObject()) {
            return new Target.Found(
                    new PlacedTemplate(
                            scope,
                            "",
                            true,
                            node.path("inline"),
                            call.where().key("inline"),
                            call.label() + ".inline"));
        }
        JsonNode ref = node.path("templateRef");
        if (ref.isObject()) {
            return referenced(ref, call.where().key("templateRef"));
        }
        String name = node.path("template").asString("");
        return named(scope, name, call.templateWhere());
    }

    /** The template of this name in the manifest or in the object that the scope names. */
    Target named(String scope, String name, Where where) {
        if (name.isEmpty()) {
            return new Target.Missing(
                    where, "template name is required", "write template, templateRef or inline");
        }
        PlacedTemplate found = scope.isEmpty() ? own.get(name) : stored(scope, name, where);
        if (found != null) {
            return new Target.Found(found);
        }
        String hint =
                scope.isEmpty()
                        ? Findings.meant(name, "there are", own.keySet())
                        : "it is looked up in " + scope;
        return new Target.Missing(where, "template name '" + name + "' undefined", hint);
    }

    private Target referenced(JsonNode ref, Where where) {
        String object = ref.path("name").asString("");
        String template = ref.path("template").asString("");
        if (object.isEmpty()) {
            return new Target.Missing(where, "resource name is required", "write templateRef.name");
        }
        if (template.isEmpty()) {
            return new Target.Missing(
                    where, "template name is required", "write templateRef.template");
        }
        boolean cluster = ref.path("clusterScope").asBoolean(false);
        String scope = (cluster ? "cluster/" : "namespaced/") + object;
        JsonNode manifest =
                objects.computeIfAbsent(scope, _ -> Source.object(lookup, source.namespace(), ref));
        if (manifest == null) {
            return new Target.Missing(
                    where,
                    "template reference " + object + "." + template + " not found",
                    cluster
                            ? "there is no ClusterWorkflowTemplate " + object + "; apply it first"
                            : "there is no WorkflowTemplate "
                                    + object
                                    + " in namespace "
                                    + source.namespace()
                                    + "; apply it first");
        }
        PlacedTemplate found = stored(scope, template, where);
        return found == null
                ? new Target.Missing(
                        where,
                        "template reference " + object + "." + template + " not found",
                        Findings.meant(
                                template,
                                scope + " has",
                                manifest.path("spec")
                                        .path("templates")
                                        .valueStream()
                                        .map(body -> body.path("name").asString(""))
                                        .toList()))
                : new Target.Found(found);
    }

    private @Nullable PlacedTemplate stored(String scope, String name, Where where) {
        PlacedTemplate known = foreign.get(scope + "/" + name);
        if (known != null) {
            return known;
        }
        JsonNode manifest = objects.get(scope);
        if (manifest == null) {
            return null;
        }
        for (JsonNode body : manifest.path("spec").path("templates")) {
            if (body.path("name").asString("").equals(name)) {
                PlacedTemplate found =
                        new PlacedTemplate(
                                scope,
                                name,
                                false,
                                body,
                                where.reference(),
                                scope + " templates." + name);
                foreign.put(scope + "/" + name, found);
                return found;
            }
        }
        return null;
    }

    /** Of the template types only the template's own, of the fields only those that fit it. */
    private JsonNode withDefaults(JsonNode body) {
        if (!defaults.isObject() || !body.isObject()) {
            return body;
        }
        boolean leaf = TemplateType.of(body).stream().allMatch(TemplateType::isLeaf);
        ObjectNode whole = (ObjectNode) body.deepCopy();
        for (Map.Entry<String, JsonNode> member : defaults.properties()) {
            String name = member.getKey();
            JsonNode written = whole.path(name);
            boolean fits =
                    !TemplateType.MEMBERS.contains(name)
                            && !(leaf ? TemplateType.CALLER_ONLY : TemplateType.LEAF_ONLY)
                                    .contains(name);
            if (written.isObject() && member.getValue().isObject()) {
                whole.set(name, under(written, member.getValue()));
            } else if (!whole.hasNonNull(name) && fits) {
                whole.set(name, member.getValue());
            }
        }
        return whole;
    }

    private static JsonNode under(JsonNode above, JsonNode below) {
        ObjectNode both = (ObjectNode) below.deepCopy();
        above.properties()
                .forEach(
                        p -> {
                            JsonNode lower = both.path(p.getKey());
                            both.set(
                                    p.getKey(),
                                    lower.isObject() && p.getValue().isObject()
                                            ? under(p.getValue(), lower)
                                            : p.getValue());
                        });
        return both;
    }
}
