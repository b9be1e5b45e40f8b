package dev.millrace.schemas.sensor;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Submits a workflow or acts on a running one. */
public record ArgoWorkflowTrigger(
        @Nullable ArtifactLocation source,
        @Nullable String operation,
        List<TriggerParameter> parameters,
        List<String> args)
        implements TriggerAction {

    public ArgoWorkflowTrigger {
        parameters = parameters == null ? List.of() : parameters;
        args = args == null ? List.of() : args;
    }

    @Override
    public String type() {
        return "argoWorkflow";
    }
}
