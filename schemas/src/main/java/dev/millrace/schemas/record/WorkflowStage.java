package dev.millrace.schemas.record;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Where a workflow stands. */
public enum WorkflowStage {
    @JsonProperty("Main")
    MAIN("Main"),
    @JsonProperty("ExitHandler")
    EXIT_HANDLER("ExitHandler"),
    @JsonProperty("Completing")
    COMPLETING("Completing"),
    @JsonProperty("Done")
    DONE("Done"),
    @JsonProperty("Deleting")
    DELETING("Deleting"),
    @JsonProperty("Deleted")
    DELETED("Deleted");

    private final String text;

    WorkflowStage(String text) {
        this.text = text;
    }

    /** The name that manifests and clients use. */
    public String text() {
        return text;
    }
}
