package dev.millrace.workflowengine.validation;

import dev.millrace.workflowengine.validation.Scopes.Sibling;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Checks the groups of a {@code steps} template in order: each knows the groups before it. */
final class StepsCheck {
    private static final String ROOT = "steps";

    private final Findings findings;
    private final MemberCheck members;

    StepsCheck(Findings findings, MemberCheck members) {
        this.findings = findings;
        this.members = members;
    }

    /**
     * @param base variables of the template itself
     * @return the variables that its outputs can refer to
     */
    Known check(PlacedTemplate template, Known base) {
        Map<String, Sibling> siblings = new HashMap<>();
        Set<String> ended = new HashSet<>();
        Set<String> names = new HashSet<>();
        JsonNode groups = template.body().path("steps");
        Known known = base.or(Scopes.ofSiblings(ROOT, siblings, ended::contains));
        for (int g = 0; g < groups.size(); g++) {
            Set<String> group = new HashSet<>();
            for (Call step : Call.group(template, g)) {
                Names.OF_TEMPLATES.check(
                        step.node(),
                        step.where(),
                        template.label() + ".steps[" + g + "]",
                        names,
                        findings);
                // Only its own hooks see a step before the group has ended.
                Known own = Scopes.ofSiblings(ROOT, siblings, step.name()::equals);
                siblings.put(step.name(), members.sibling(template.scope(), step));
                members.check(template.scope(), step, known, own);
                group.add(step.name());
            }
            ended.addAll(group);
        }
        return known;
    }
}
