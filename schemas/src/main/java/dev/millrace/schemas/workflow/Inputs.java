package dev.millrace.schemas.workflow;

import java.util.List;

/** What a template takes. */
public record Inputs(List<Parameter> parameters, List<Artifact> artifacts) {

    public Inputs {
        parameters = parameters == null ? List.of() : parameters;
        artifacts = artifacts == null ? List.of() : artifacts;
    }
}
