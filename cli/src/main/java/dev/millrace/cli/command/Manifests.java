package dev.millrace.cli.command;

import dev.millrace.cli.Surroundings;
import dev.millrace.cli.client.ApiClient;
import dev.millrace.cli.client.Query;
import dev.millrace.schemas.manifest.Manifest;
import dev.millrace.schemas.manifest.ManifestDocument;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Applies definitions to a server and says what became of each. */
final class Manifests {

    private final ApiClient api;
    private final String namespace;
    private final Surroundings surroundings;

    /**
     * @param namespace of manifests that name none
     */
    Manifests(ApiClient api, String namespace, Surroundings surroundings) {
        this.api = api;
        this.namespace = namespace;
        this.surroundings = surroundings;
    }

    /**
     * Applies documents of one file.
     *
     * @param say hears of each that was applied
     * @return whether all of them were
     */
    boolean apply(String file, List<ManifestDocument> documents, Consumer<String> say) {
        if (documents.isEmpty()) {
            return true;
        }
        // JSON is YAML too, and the documents were checked where they have lines.
        String text =
                documents.stream()
                        .map(document -> placed(document.manifest(), namespace).toString())
                        .collect(Collectors.joining("\n---\n"));
        JsonNode answer =
                api.postYaml("/api/v1/manifests", Query.none().with("source", file), text);
        boolean applied = errors(file, answer.path("problems"));
        if (answer.path("results").isMissingNode()) {
            surroundings
                    .err()
                    .println(
                            "millrace: "
                                    + file
                                    + ": "
                                    + answer.path("message").asString(answer.toString()));
            return false;
        }
        for (JsonNode result : answer.path("results")) {
            String what =
                    result.path("kind").asString("").toLowerCase(Locale.ROOT)
                            + "/"
                            + result.path("name").asString("");
            if (result.path("outcome").asString("").equals("refused")) {
                surroundings.err().println("millrace: " + file + ": " + what + " is refused:");
                errors("  ", result.path("problems"));
                applied = false;
            } else {
                say.accept(what + " " + result.path("outcome").asString(""));
            }
        }
        return applied;
    }

    /** The manifest with the namespace that is meant. */
    static ObjectNode placed(Manifest manifest, String namespace) {
        ObjectNode tree = manifest.tree().deepCopy().asObject();
        if (manifest.kind().isNamespaced()
                && manifest.tree().path("metadata").path("namespace").asString("").isEmpty()) {
            tree.withObject("/metadata").put("namespace", namespace);
        }
        return tree;
    }

    private boolean errors(String lead, JsonNode problems) {
        boolean none = true;
        for (JsonNode problem : problems) {
            if (problem.path("severity").asString("").equals("error")) {
                none = false;
                String path = problem.path("path").asString("");
                String hint = problem.path("hint").asString("");
                surroundings
                        .err()
                        .println(
                                (lead.isBlank() ? lead : "millrace: " + lead + ": ")
                                        + (path.isEmpty() ? "" : path + ": ")
                                        + problem.path("message").asString("")
                                        + (hint.isEmpty() ? "" : " (" + hint + ")"));
            }
        }
        return none;
    }
}
