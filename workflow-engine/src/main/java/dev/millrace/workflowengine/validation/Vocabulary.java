package dev.millrace.workflowengine.validation;

import dev.millrace.schemas.manifest.NearestName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/** The words that variables of a manifest are made of, to find the variable that was meant. */
final class Vocabulary {

    private static final Set<String> COMMON =
            Set.of(
                    "inputs",
                    "outputs",
                    "parameters",
                    "artifacts",
                    "result",
                    "exitCode",
                    "path",
                    "workflow",
                    "steps",
                    "tasks",
                    "name",
                    "namespace",
                    "uid",
                    "status",
                    "failures",
                    "labels",
                    "annotations",
                    "duration",
                    "priority",
                    "id",
                    "ip",
                    "startedAt",
                    "finishedAt",
                    "creationTimestamp",
                    "serviceAccountName",
                    "mainEntrypoint",
                    "scheduledTime");

    private final Set<String> words = new TreeSet<>(COMMON);

    /**
     * @param specs whose names count
     */
    Vocabulary(JsonNode... specs) {
        for (JsonNode spec : specs) {
            collect(spec);
        }
    }

    /** The nearest variable that is known: one with another word in one place. */
    Optional<String> meant(String variable, Known known) {
        List<String> parts = List.of(variable.split("\\.", -1));
        List<String> candidates = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            for (String word : words) {
                if (NearestName.to(parts.get(i), List.of(word)).isPresent()) {
                    List<String> changed = new ArrayList<>(parts);
                    changed.set(i, word);
                    String candidate = String.join(".", changed);
                    if (known.knows(candidate)) {
                        candidates.add(candidate);
                    }
                }
            }
        }
        return NearestName.to(variable, candidates);
    }

    private void collect(JsonNode tree) {
        if (tree.path("name").isString()) {
            words.add(tree.path("name").asString(""));
        }
        if (tree.path("globalName").isString()) {
            words.add(tree.path("globalName").asString(""));
        }
        tree.forEach(this::collect);
    }
}
