package dev.millrace.schemas.workflow;

import java.util.List;

/** What a caller supplies. */
public record Arguments(List<Parameter> parameters, List<Artifact> artifacts) {

    public Arguments {
        parameters = parameters == null ? List.of() : parameters;
        artifacts = artifacts == null ? List.of() : artifacts;
    }
}
