package dev.millrace.executors.artifact;

import dev.millrace.executors.KeyValues;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * The secrets that a location refers to, of one namespace.
 *
 * @param namespace that of the workflow
 */
record StoreSecrets(KeyValues secrets, String namespace) {

    /**
     * The value that a selector ({@code {name, key}}) of a location names.
     *
     * @param member the selector's name in the location
     * @return empty if the location has no such selector
     * @throws ArtifactException if there is no such secret
     */
    Optional<String> value(JsonNode tree, String member) throws ArtifactException {
        JsonNode selector = tree.path(member);
        if (!selector.isObject()) {
            return Optional.empty();
        }
        String name = selector.path("name").asString("");
        String key = selector.path("key").asString("");
        Optional<String> value = secrets.value(namespace, name, key);
        if (value.isEmpty() && !selector.path("optional").asBoolean(false)) {
            throw new ArtifactException(
                    "%s: there is no Secret %s in namespace %s with a key %s"
                            .formatted(member, name, namespace, key));
        }
        return value;
    }

    /** Refuses a member that would change how the store is reached, and that is not known here. */
    static void refuse(JsonNode tree, String kind, String... members) throws ArtifactException {
        for (String member : members) {
            if (tree.hasNonNull(member)) {
                throw new ArtifactException(
                        "%s.%s is not supported; leave it out".formatted(kind, member));
            }
        }
    }
}
