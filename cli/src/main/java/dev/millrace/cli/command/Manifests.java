package dev.millrace.cli.command;

import dev.millrace.cli.Surroundings;
import dev.millrace.cli.client.ApiClient;
import dev.millrace.cli.client.ApiException;
import dev.millrace.cli.client.Query;
import dev.millrace.schemas.manifest.Manifest;
import dev.millrace.schemas.manifest.ManifestDocument;
import java.util.ArrayList;
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
        List<ApiException.Problem> ofNone = problems(answer.path("problems"));
        ofNone.stream()
                .filter(ApiException.Problem::isError)
                .forEach(problem -> say(file + ": " + problem.message()));
        boolean applied = ofNone.stream().noneMatch(ApiException.Problem::isError);
        JsonNode results = answer.path("results");
        if (results.size() != documents.size()) {
            say(file + ": " + answer.path("message").asString(answer.toString()));
            return false;
        }
        for (int i = 0; i < results.size(); i++) {
            applied &= tell(results.get(i), documents.get(i), say);
        }
        return applied;
    }

    /** Says what became of a document. */
    private boolean tell(JsonNode result, ManifestDocument document, Consumer<String> say) {
        String what =
                result.path("kind").asString("").toLowerCase(Locale.ROOT)
                        + "/"
                        + result.path("name").asString("");
        if (!result.path("outcome").asString("").equals("refused")) {
            say.accept(what + " " + result.path("outcome").asString(""));
            return true;
        }
        problems(result.path("problems")).stream()
                .filter(ApiException.Problem::isError)
                .forEach(problem -> say(ServerRefusal.at(document, problem).toString()));
        say("millrace: " + what + " is refused");
        return false;
    }

    private static List<ApiException.Problem> problems(JsonNode problems) {
        List<ApiException.Problem> list = new ArrayList<>();
        problems.forEach(problem -> list.add(ApiClient.problem(problem)));
        return list;
    }

    private void say(String line) {
        surroundings.err().println(line);
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
}
