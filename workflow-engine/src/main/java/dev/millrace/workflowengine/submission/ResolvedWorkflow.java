package dev.millrace.workflowengine.submission;

import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * A workflow with its references put in.
 *
 * @param spec what runs: the workflow's own spec over that of its {@code workflowTemplateRef}
 * @param storedTemplates templates of other objects by {@code scope/object/template}
 * @param fromTemplate whether there is a {@code workflowTemplateRef}
 */
public record ResolvedWorkflow(
        JsonNode spec, Map<String, JsonNode> storedTemplates, boolean fromTemplate) {}
