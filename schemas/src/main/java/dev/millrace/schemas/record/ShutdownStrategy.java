package dev.millrace.schemas.record;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * How a workflow is ended early: {@code Stop} still runs exit handlers, {@code Terminate} does not.
 */
public enum ShutdownStrategy {
    @JsonProperty("Stop")
    STOP("Stop"),
    @JsonProperty("Terminate")
    TERMINATE("Terminate");

    private final String text;

    ShutdownStrategy(String text) {
        this.text = text;
    }

    /** The name that manifests and clients use. */
    public String text() {
        return text;
    }
}
