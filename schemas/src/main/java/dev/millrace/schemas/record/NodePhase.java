package dev.millrace.schemas.record;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What became of a node. */
public enum NodePhase {
    @JsonProperty("Pending")
    PENDING("Pending"),
    @JsonProperty("Running")
    RUNNING("Running"),
    @JsonProperty("Succeeded")
    SUCCEEDED("Succeeded"),
    @JsonProperty("Skipped")
    SKIPPED("Skipped"),
    @JsonProperty("Failed")
    FAILED("Failed"),
    @JsonProperty("Error")
    ERROR("Error"),
    @JsonProperty("Omitted")
    OMITTED("Omitted");

    private final String text;

    NodePhase(String text) {
        this.text = text;
    }

    /** The name that manifests and clients use. */
    public String text() {
        return text;
    }

    /** Nothing more happens to the node itself. */
    public boolean fulfilled() {
        return this != PENDING && this != RUNNING;
    }

    /** It ran to an end: fulfilled, but neither skipped nor omitted. Exit hooks run on this. */
    public boolean completed() {
        return this == SUCCEEDED || failedOrError();
    }

    public boolean failedOrError() {
        return this == FAILED || this == ERROR;
    }
}
