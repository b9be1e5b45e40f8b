package dev.millrace.workflowengine.submission;

import dev.millrace.schemas.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Resolves {@code workflowTemplateRef} and every {@code templateRef} of a workflow, also those
 * inside stored templates.
 */
public final class References {
    private final TemplateLookup lookup;
    private final String namespace;
    private final Map<String, JsonNode> stored = new LinkedHashMap<>();

    private References(TemplateLookup lookup, String namespace) {
        this.lookup = lookup;
        this.namespace = namespace;
    }

    /**
     * Resolves the references of a workflow.
     *
     * @param spec the workflow's spec as written
     * @param namespace namespace of the workflow, in which templates are looked up
     * @throws UnresolvedReferenceException if one leads nowhere
     */
    public static ResolvedWorkflow resolve(JsonNode spec, String namespace, TemplateLookup lookup) {
        return resolve(spec, namespace, lookup, Json.object());
    }

    /**
     * {@link #resolve(JsonNode, String, TemplateLookup)} with what specs have that do not say
     * otherwise.
     */
    public static ResolvedWorkflow resolve(
            JsonNode spec, String namespace, TemplateLookup lookup, JsonNode defaults) {
        References references = new References(lookup, namespace);
        ObjectNode merged = (ObjectNode) spec.deepCopy();
        JsonNode ref = merged.remove("workflowTemplateRef");
        boolean fromTemplate = ref != null && ref.isObject();
        if (fromTemplate) {
            merged = merge(references.object(ref, "spec.workflowTemplateRef").path("spec"), merged);
        }
        merged = merge(defaults, merged);
        references.collect(merged, null, "spec");
        return new ResolvedWorkflow(merged, Map.copyOf(references.stored), fromTemplate);
    }

    private JsonNode object(JsonNode ref, String where) {
        String name = ref.path("name").asString("");
        boolean cluster = ref.path("clusterScope").asBoolean(false);
        JsonNode found =
                cluster
                        ? lookup.clusterWorkflowTemplate(name)
                        : lookup.workflowTemplate(namespace, name);
        if (found == null) {
            String kind = cluster ? "clusterworkflowtemplates" : "workflowtemplates";
            throw new UnresolvedReferenceException(
                    where
                            + ": "
                            + kind
                            + ".argoproj.io \""
                            + name
                            + "\" not found"
                            + (cluster ? "" : " in namespace " + namespace)
                            + "; apply it first");
        }
        return found;
    }

    /** Own members over those that lie below them; arguments by name. */
    public static ObjectNode merge(JsonNode below, ObjectNode own) {
        ObjectNode merged = below instanceof ObjectNode o ? o.deepCopy() : Json.object();
        own.properties()
                .forEach(
                        p -> {
                            JsonNode known = merged.get(p.getKey());
                            if (p.getKey().equals("arguments")
                                    && known instanceof ObjectNode arguments) {
                                mergeByName(arguments, p.getValue(), "parameters");
                                mergeByName(arguments, p.getValue(), "artifacts");
                            } else if (known instanceof ObjectNode object
                                    && p.getValue() instanceof ObjectNode more) {
                                merged.set(p.getKey(), merge(object, more));
                            } else {
                                merged.set(p.getKey(), p.getValue());
                            }
                        });
        return merged;
    }

    private static void mergeByName(ObjectNode into, JsonNode from, String list) {
        Map<String, JsonNode> all = new LinkedHashMap<>();
        into.path(list).forEach(p -> all.put(p.path("name").asString(""), p));
        from.path(list)
                .forEach(
                        p -> {
                            JsonNode known = all.get(p.path("name").asString(""));
                            all.put(
                                    p.path("name").asString(""),
                                    known instanceof ObjectNode o && p instanceof ObjectNode more
                                            ? merge(o, more)
                                            : p);
                        });
        if (!all.isEmpty()) {
            ArrayNode merged = Json.mapper().createArrayNode();
            all.values().forEach(merged::add);
            into.set(list, merged);
        }
    }

    /**
     * Looks for references below a tree; plain names inside a stored object are templates of the
     * same object.
     */
    private void collect(JsonNode tree, @Nullable Stored object, String where) {
        if (tree.isArray()) {
            for (int i = 0; i < tree.size(); i++) {
                collect(tree.get(i), object, where + "[" + i + "]");
            }
            return;
        }
        if (!tree.isObject()) {
            return;
        }
        JsonNode ref = tree.path("templateRef");
        if (ref.isObject()) {
            Stored target = new Stored(scope(ref), object(ref, where + ".templateRef"));
            store(target, ref.path("template").asString(""), where + ".templateRef");
        }
        if (object != null && tree.path("template").isString() && !tree.has("templateRef")) {
            store(object, tree.path("template").asString(""), where + ".template");
        }
        tree.properties()
                .forEach(
                        p -> {
                            if (!p.getKey().equals("templateRef")) {
                                collect(p.getValue(), object, where + "." + p.getKey());
                            }
                        });
    }

    private static String scope(JsonNode ref) {
        return (ref.path("clusterScope").asBoolean(false) ? "cluster/" : "namespaced/")
                + ref.path("name").asString("");
    }

    private void store(Stored object, String template, String where) {
        String key = object.scope() + "/" + template;
        if (stored.containsKey(key)) {
            return;
        }
        for (JsonNode candidate : object.manifest().path("spec").path("templates")) {
            if (candidate.path("name").asString("").equals(template)) {
                stored.put(key, candidate);
                collect(candidate, object, object.scope() + ".templates." + template);
                return;
            }
        }
        throw new UnresolvedReferenceException(
                where + ": " + object.scope() + " has no template '" + template + "'");
    }

    /** An object that holds templates. */
    private record Stored(String scope, JsonNode manifest) {}
}
