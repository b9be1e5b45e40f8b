package dev.millrace.server.command;

import dev.millrace.schemas.manifest.Problem;
import dev.millrace.schemas.yaml.Places;
import dev.millrace.workflowengine.submission.TemplateLookup;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** The meaning of a workflow or template, checked before anything is written. */
@FunctionalInterface
public interface WorkflowValidation {

    /**
     * @param lint whether arguments may lack a value
     * @param places where the members of the manifest stand in its text
     * @return what is wrong; empty if nothing is
     */
    List<Problem> validate(
            JsonNode manifest, TemplateLookup templates, boolean lint, Places places);
}
