package dev.millrace.schemas.sensor;

import dev.millrace.schemas.event.Backoff;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** When an action that was carried out counts as successful. */
public record TriggerPolicy(@Nullable K8sPolicy k8s, @Nullable StatusPolicy status) {
    /** The made object must get these labels. */
    public record K8sPolicy(
            Map<String, String> labels,
            @Nullable Backoff backoff,
            @Nullable Boolean errorOnBackoffTimeout) {

        public K8sPolicy {
            labels = labels == null ? Map.of() : labels;
        }
    }

    /** The answer must have one of these HTTP status codes. */
    public record StatusPolicy(List<Integer> allow) {

        public StatusPolicy {
            allow = allow == null ? List.of() : allow;
        }
    }
}
