package dev.millrace.schemas.record;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What became of a workflow. */
public enum WorkflowPhase {
    @JsonProperty("Pending")
    PENDING("Pending"),
    @JsonProperty("Running")
    RUNNING("Running"),
    @JsonProperty("Succeeded")
    SUCCEEDED("Succeeded"),
    @JsonProperty("Failed")
    FAILED("Failed"),
    @JsonProperty("Error")
    ERROR("Error");

    private final String text;

    WorkflowPhase(String text) {
        this.text = text;
    }

    /** The name that manifests and clients use. */
    public String text() {
        return text;
    }

    public boolean finished() {
        return this == SUCCEEDED || this == FAILED || this == ERROR;
    }
}
