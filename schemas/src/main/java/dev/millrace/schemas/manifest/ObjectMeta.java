package dev.millrace.schemas.manifest;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The metadata of an object: what people write and what an API server adds.
 *
 * @param generateName beginning of a name that is made unique at creation; {@code name} wins
 * @param creationTimestamp RFC 3339
 */
public record ObjectMeta(
        @Nullable String name,
        @Nullable String generateName,
        @Nullable String namespace,
        Map<String, String> labels,
        Map<String, String> annotations,
        @Nullable String uid,
        @Nullable String resourceVersion,
        @Nullable Long generation,
        @Nullable String creationTimestamp,
        @Nullable String deletionTimestamp,
        @Nullable Long deletionGracePeriodSeconds,
        List<String> finalizers,
        @Nullable JsonNode ownerReferences,
        @Nullable JsonNode managedFields,
        @Nullable String selfLink) {

    public ObjectMeta {
        labels = labels == null ? Map.of() : labels;
        annotations = annotations == null ? Map.of() : annotations;
        finalizers = finalizers == null ? List.of() : finalizers;
    }

    /** The same in that namespace. */
    ObjectMeta in(String inNamespace) {
        return new ObjectMeta(
                name,
                generateName,
                inNamespace,
                labels,
                annotations,
                uid,
                resourceVersion,
                generation,
                creationTimestamp,
                deletionTimestamp,
                deletionGracePeriodSeconds,
                finalizers,
                ownerReferences,
                managedFields,
                selfLink);
    }
}
