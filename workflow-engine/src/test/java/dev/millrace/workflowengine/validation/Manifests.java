package dev.millrace.workflowengine.validation;

import dev.millrace.schemas.yaml.YamlReader;
import dev.millrace.workflowengine.submission.TemplateLookup;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Small manifests for tests. */
final class Manifests {
    private Manifests() {}

    /** A manifest; a Workflow if it does not say what it is. */
    static JsonNode manifest(String text) {
        ObjectNode tree = (ObjectNode) tree(text);
        if (!tree.has("kind")) {
            tree.put("kind", "Workflow");
        }
        return tree;
    }

    /** The tree of a YAML text. */
    static JsonNode tree(String text) {
        return YamlReader.read("test", text).documents().getFirst().tree();
    }

    /**
     * A workflow that starts with the template {@code main}. It may call {@code say}, with an input
     * {@code m} and an output {@code o}, and {@code pause}.
     *
     * @param main the body of the template
     */
    static String workflow(String main) {
        return """
        spec:
          entrypoint: main
          templates:
          - name: main
        %s
          - name: say
            inputs: {parameters: [{name: m}]}
            outputs: {parameters: [{name: o, valueFrom: {path: /o}}]}
            script: {image: x, source: "echo {{inputs.parameters.m}}"}
          - {name: pause, suspend: {}}
        """
                .formatted(main.indent(4));
    }

    /** Stored templates by their names. */
    static TemplateLookup stored(String... texts) {
        Map<String, JsonNode> byName = new HashMap<>();
        for (String text : texts) {
            JsonNode tree = manifest(text);
            byName.put(
                    tree.path("kind").asString() + "/" + tree.at("/metadata/name").asString(),
                    tree);
        }
        return new TemplateLookup() {
            @Override
            public @Nullable JsonNode workflowTemplate(String namespace, String name) {
                return byName.get("WorkflowTemplate/" + name);
            }

            @Override
            public @Nullable JsonNode clusterWorkflowTemplate(String name) {
                return byName.get("ClusterWorkflowTemplate/" + name);
            }
        };
    }
}
