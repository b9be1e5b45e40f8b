package dev.millrace.schemas.workflow;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Object metadata, as far as the project reads it. */
public record Metadata(
        @Nullable String name,
        @Nullable String generateName,
        @Nullable String namespace,
        Map<String, String> labels,
        Map<String, String> annotations) {

    public Metadata {
        labels = labels == null ? Map.of() : labels;
        annotations = annotations == null ? Map.of() : annotations;
    }
}
