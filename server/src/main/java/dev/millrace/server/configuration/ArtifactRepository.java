package dev.millrace.server.configuration;

import dev.millrace.schemas.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Where artifacts go that name no place of their own: one store, and perhaps {@code archiveLogs}.
 *
 * @param tree as it is written
 */
public record ArtifactRepository(JsonNode tree) {
    private static final Set<String> STORES = Set.of("local", "s3");
    private static final Set<String> MEMBERS = Set.of("local", "s3", "archiveLogs");

    /** The folder of artifacts in the data folder; namespaces do not get in each other's way. */
    public static ArtifactRepository local() {
        ObjectNode tree = Json.object();
        tree.putObject("local")
                .put("keyFormat", "{{workflow.namespace}}/{{workflow.name}}/{{pod.name}}");
        return new ArtifactRepository(tree);
    }

    /** What is wrong with it, and what to write instead; empty if nothing is. */
    public Optional<String> problem() {
        if (!tree.isObject()) {
            return Optional.of("a map with one of local and s3 is expected");
        }
        List<String> unknown = new ArrayList<>(tree.propertyNames());
        unknown.removeAll(MEMBERS);
        if (!unknown.isEmpty()) {
            return Optional.of(
                    "'%s' is not known here; there are local, s3 and archiveLogs"
                            .formatted(unknown.getFirst()));
        }
        List<String> stores = STORES.stream().filter(tree::has).sorted().toList();
        if (stores.size() != 1) {
            return Optional.of("exactly one of local and s3 is expected");
        }
        String store = stores.getFirst();
        if (!tree.path(store).isObject()) {
            return Optional.of(store + " is a map such as {keyFormat: \"{{workflow.name}}\"}");
        }
        if (store.equals("s3") && tree.path("s3").path("bucket").asString("").isEmpty()) {
            return Optional.of("s3.bucket is missing");
        }
        if (tree.has("archiveLogs") && !tree.path("archiveLogs").isBoolean()) {
            return Optional.of("archiveLogs is true or false");
        }
        return Optional.empty();
    }
}
