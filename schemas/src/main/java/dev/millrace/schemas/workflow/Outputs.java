package dev.millrace.schemas.workflow;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a template gives, or what a node gave. */
public record Outputs(
        List<Parameter> parameters,
        List<Artifact> artifacts,
        @Nullable String result,
        @Nullable String exitCode) {

    public Outputs {
        parameters = parameters == null ? List.of() : parameters;
        artifacts = artifacts == null ? List.of() : artifacts;
    }
}
