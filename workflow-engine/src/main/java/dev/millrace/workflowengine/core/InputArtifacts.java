package dev.millrace.workflowengine.core;

import dev.millrace.expressions.tag.Lookup;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.workflow.Artifact;
import dev.millrace.schemas.workflow.Inputs;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The artifacts {@code inputs.artifacts.<name>} that a template was called with. */
final class InputArtifacts implements Variables.Layer {
    private static final String PREFIX = "inputs.artifacts.";

    private final @Nullable Inputs inputs;

    InputArtifacts(@Nullable Inputs inputs) {
        this.inputs = inputs;
    }

    @Override
    public Lookup lookup(String name) {
        return Variables.MISSING; // As text there are only the paths.
    }

    @Override
    public @Nullable ObjectNode artifact(String name) {
        if (inputs == null || !name.startsWith(PREFIX)) {
            return null;
        }
        return inputs.artifacts().stream()
                .filter(a -> name.equals(PREFIX + a.name()))
                .map(InputArtifacts::tree)
                .findFirst()
                .orElse(null);
    }

    /** As it lies: a part of a folder is asked for where it comes in. */
    private static ObjectNode tree(Artifact artifact) {
        ObjectNode tree = (ObjectNode) Json.tree(artifact);
        Locations.descend(tree, tree.path("subPath").asString(""));
        tree.remove("subPath");
        return tree;
    }

    @Override
    public @Nullable Map<String, @Nullable Object> root(String root) {
        if (inputs == null || inputs.artifacts().isEmpty() || !root.equals("inputs")) {
            return null;
        }
        Map<String, @Nullable Object> artifacts = new LinkedHashMap<>();
        inputs.artifacts().forEach(a -> artifacts.put(a.name(), ArtifactReferences.value(tree(a))));
        Map<String, @Nullable Object> all = new LinkedHashMap<>();
        all.put("artifacts", artifacts);
        return all;
    }
}
