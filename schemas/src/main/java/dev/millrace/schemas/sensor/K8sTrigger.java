package dev.millrace.schemas.sensor;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Creates or changes an object.
 *
 * @param operation {@code create} (also when absent), {@code update}, {@code patch} or {@code
 *     delete}
 */
public record K8sTrigger(
        @Nullable ArtifactLocation source,
        @Nullable String operation,
        List<TriggerParameter> parameters,
        @Nullable String patchStrategy,
        @Nullable Boolean liveObject)
        implements TriggerAction {

    public K8sTrigger {
        parameters = parameters == null ? List.of() : parameters;
    }

    @Override
    public String type() {
        return "k8s";
    }
}
