package dev.millrace.workflowengine.validation;

import dev.millrace.schemas.manifest.Problem;
import dev.millrace.schemas.yaml.Places;
import dev.millrace.workflowengine.submission.TemplateLookup;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Whether a manifest may be taken: its meaning, and what can run. */
public final class Acceptance {

    private Acceptance() {}

    /** {@link #check(JsonNode, TemplateLookup, boolean, Places)} for a manifest without a text. */
    public static List<Problem> check(JsonNode manifest, TemplateLookup templates, boolean lint) {
        return check(manifest, templates, lint, WorkflowValidator.nowhere(manifest));
    }

    /**
     * What {@link WorkflowValidator} and {@link Support} find. A stored template may hold parts
     * that cannot run yet, as long as nobody submits it: in lint they are warnings.
     *
     * @param lint whether the manifest is only looked at or stored, not run
     * @return errors and warnings in the order of the manifest
     */
    public static List<Problem> check(
            JsonNode manifest, TemplateLookup templates, boolean lint, Places places) {
        boolean runs = !lint || !manifest.path("kind").asString("").endsWith("WorkflowTemplate");
        Findings all = WorkflowValidator.findings(manifest, templates, lint, places);
        all.add(Support.findings(manifest, templates, places), !runs);
        return all.inOrderOf(manifest);
    }
}
