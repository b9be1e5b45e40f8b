package dev.millrace.workflowengine.validation;

import dev.millrace.schemas.manifest.Problem;
import dev.millrace.workflowengine.submission.TemplateLookup;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Whether a manifest may be taken: its meaning, and what can run. */
public final class Acceptance {

    private Acceptance() {}

    /**
     * What {@link WorkflowValidator} and {@link Support} find, with errors first. A stored template
     * may hold parts that cannot run yet, as long as nobody submits it: in lint they are warnings. A
     * CronWorkflow is refused always, since it starts by itself.
     *
     * @param lint whether the manifest is only looked at or stored, not run
     */
    public static List<Problem> check(JsonNode manifest, TemplateLookup templates, boolean lint) {
        boolean runs = !lint || manifest.path("kind").asString("").equals("CronWorkflow");
        List<Problem> all =
                new ArrayList<>(WorkflowValidator.validate(manifest, templates, lint));
        for (Problem problem : Support.check(manifest, templates)) {
            all.add(
                    runs
                            ? problem
                            : Problem.warning(
                                    problem.place(),
                                    problem.path(),
                                    problem.message(),
                                    problem.hint()));
        }
        all.sort((a, b) -> Boolean.compare(b.isError(), a.isError()));
        return List.copyOf(all);
    }
}
