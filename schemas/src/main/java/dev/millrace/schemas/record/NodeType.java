package dev.millrace.schemas.record;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What kind of thing a node of the tree stands for. */
public enum NodeType {
    @JsonProperty("Pod")
    POD("Pod"),
    @JsonProperty("Container")
    CONTAINER("Container"),
    @JsonProperty("Steps")
    STEPS("Steps"),
    @JsonProperty("StepGroup")
    STEP_GROUP("StepGroup"),
    @JsonProperty("DAG")
    DAG("DAG"),
    @JsonProperty("TaskGroup")
    TASK_GROUP("TaskGroup"),
    @JsonProperty("Retry")
    RETRY("Retry"),
    @JsonProperty("Skipped")
    SKIPPED("Skipped"),
    @JsonProperty("Suspend")
    SUSPEND("Suspend"),
    @JsonProperty("HTTP")
    HTTP("HTTP"),
    @JsonProperty("Plugin")
    PLUGIN("Plugin");

    private final String text;

    NodeType(String text) {
        this.text = text;
    }

    /** The name that manifests and clients use. */
    public String text() {
        return text;
    }

    /** Whether it only holds the members of a step group, or the items of a task's loop. */
    public boolean isGroup() {
        return this == STEP_GROUP || this == TASK_GROUP;
    }
}
