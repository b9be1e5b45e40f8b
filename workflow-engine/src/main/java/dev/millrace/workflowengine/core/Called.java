package dev.millrace.workflowengine.core;

import dev.millrace.schemas.workflow.Inputs;
import dev.millrace.schemas.workflow.Template;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A template with the inputs of one call put in.
 *
 * @param body the template's tree; tags of later stages are still in it
 * @param template the same as a record
 * @param inputs what the template declares, with values; null if it declares nothing
 * @param scope the scope in which names inside the template are looked up
 */
record Called(JsonNode body, Template template, @Nullable Inputs inputs, String scope) {}
