package dev.millrace.workflowengine.core;

import dev.millrace.schemas.record.WorkflowPhase;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** The claims of a workflow's {@code volumeClaimTemplates}: one of each for all of its steps. */
public final class Claims {

    private Claims() {}

    /** The names of the templates. */
    public static List<String> templates(JsonNode spec) {
        List<String> names = new ArrayList<>();
        spec.path("volumeClaimTemplates")
                .forEach(c -> names.add(c.path("metadata").path("name").asString("")));
        return names;
    }

    /** The name of the claim that is made from a template. */
    public static String name(String workflow, String template) {
        return workflow + "-" + template;
    }

    /**
     * Whether the claims go when the workflow ends in this phase; else they are kept until it is
     * deleted.
     */
    public static boolean endWith(JsonNode spec, WorkflowPhase phase) {
        String strategy = spec.path("volumeClaimGC").path("strategy").asString("");
        return phase.finished()
                && (strategy.equals("OnWorkflowCompletion") || phase == WorkflowPhase.SUCCEEDED);
    }
}
