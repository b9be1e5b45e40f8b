package dev.millrace.workflowengine.submission;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * Finds the ConfigMaps that the parameters of a workflow may come from, so that their data goes
 * with the submission: what a workflow does then depends on nothing that changes while it runs. A
 * name or key with tags stands for all that it may become.
 */
public final class ConfigMapReferences {
    private static final Pattern TAG = Pattern.compile("\\{\\{.*?}}", Pattern.DOTALL);

    private final Map<Pattern, Set<Pattern>> keysByName = new LinkedHashMap<>();
    private final Map<String, Pattern> patterns = new LinkedHashMap<>();

    private ConfigMapReferences() {}

    /**
     * The data that parameters of a workflow may refer to, by name of the ConfigMap. A ConfigMap
     * that is referred to and does not have the key is there without it.
     *
     * @param workflow with references to templates resolved
     * @param namespace namespace of the workflow
     */
    public static Map<String, Map<String, String>> data(
            ResolvedWorkflow workflow, String namespace, ConfigMapLookup lookup) {
        ConfigMapReferences references = new ConfigMapReferences();
        references.collect(workflow.spec());
        workflow.storedTemplates().values().forEach(references::collect);
        if (references.keysByName.isEmpty()) {
            return Map.of();
        }
        Map<String, Map<String, String>> all = new TreeMap<>();
        lookup.parameters(namespace)
                .forEach(
                        (name, data) -> {
                            List<Pattern> keys = references.keys(name);
                            if (!keys.isEmpty()) {
                                Map<String, String> wanted = new TreeMap<>(data);
                                wanted.keySet().removeIf(key -> !anyMatches(keys, key));
                                all.put(name, wanted);
                            }
                        });
        return all;
    }

    private static boolean anyMatches(List<Pattern> patterns, String text) {
        return patterns.stream().anyMatch(p -> p.matcher(text).matches());
    }

    private List<Pattern> keys(String configMap) {
        return keysByName.entrySet().stream()
                .filter(e -> e.getKey().matcher(configMap).matches())
                .flatMap(e -> e.getValue().stream())
                .toList();
    }

    /** Parameters are the items of lists called so; elsewhere (env) the executor looks it up. */
    private void collect(JsonNode tree) {
        for (JsonNode parameter : tree.path("parameters")) {
            JsonNode ref = parameter.path("valueFrom").path("configMapKeyRef");
            if (ref.isObject()) {
                String name = ref.path("name").asString("");
                String key = ref.path("key").asString("");
                keysByName
                        .computeIfAbsent(pattern(name), _ -> new LinkedHashSet<>())
                        .add(pattern(key));
            }
        }
        for (JsonNode below : tree) {
            if (below.isContainer()) {
                collect(below);
            }
        }
    }

    /** One object for equal texts: patterns are compared by identity. */
    private Pattern pattern(String text) {
        return patterns.computeIfAbsent(text, ConfigMapReferences::compiled);
    }

    private static Pattern compiled(String text) {
        StringBuilder regex = new StringBuilder();
        int at = 0;
        var tags = TAG.matcher(text);
        while (tags.find()) {
            regex.append(Pattern.quote(text.substring(at, tags.start()))).append(".*");
            at = tags.end();
        }
        regex.append(Pattern.quote(text.substring(at)));
        return Pattern.compile(regex.toString(), Pattern.DOTALL);
    }
}
