package dev.millrace.schemas.sensor;

import tools.jackson.databind.JsonNode;

/** What a trigger does. */
public sealed interface TriggerAction
        permits K8sTrigger, ArgoWorkflowTrigger, HttpTrigger, LogTrigger, TriggerAction.Other {

    /** The key of the action in the manifest. */
    String type();

    /** An action that is known by name only. */
    record Other(String type, JsonNode config) implements TriggerAction {}
}
