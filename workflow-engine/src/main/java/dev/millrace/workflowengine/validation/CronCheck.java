package dev.millrace.workflowengine.validation;

import dev.millrace.expressions.cron.CronOptions;
import dev.millrace.expressions.cron.CronSchedule;
import dev.millrace.expressions.cron.CronSyntaxException;
import dev.millrace.expressions.expr.ExprProgram;
import dev.millrace.expressions.govaluate.WhenCondition;
import dev.millrace.expressions.tag.Tag;
import dev.millrace.expressions.tag.TagTemplate;
import dev.millrace.workflowengine.cron.CronDefinition;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Checks what a CronWorkflow has beside the spec of its workflows. */
final class CronCheck {
    private static final List<String> POLICIES = List.of("Allow", "Forbid", "Replace");

    private static final String ROOT = "cronworkflow";
    private static final Set<String> MEMBERS =
            Set.of(
                    "name",
                    "namespace",
                    "labels",
                    "annotations",
                    "lastScheduledTime",
                    "failed",
                    "succeeded");
    private static final String VARIABLES =
            "there are cronworkflow.name, namespace, labels, annotations, lastScheduledTime, failed, succeeded";

    private final Findings findings;
    private final TagCheck tags;

    CronCheck(Findings findings) {
        this.findings = findings;
        this.tags = new TagCheck(findings, new Vocabulary());
    }

    void check(JsonNode spec) {
        Where where = Where.ROOT.key("spec");
        JsonNode schedules = spec.path("schedules");
        if (schedules.isEmpty()) {
            findings.error(where, "cron workflow must have at least one schedule");
        }
        for (int i = 0; i < schedules.size(); i++) {
            try {
                CronSchedule unused =
                        CronSchedule.parse(
                                schedules.get(i).asString(""),
                                CronOptions.WORKFLOWS,
                                ZoneOffset.UTC);
            } catch (CronSyntaxException e) {
                findings.error(
                        where.key("schedules").index(i),
                        "cron schedule " + schedules.get(i) + " is malformed: " + e.getMessage(),
                        "five fields: minute, hour, day of month, month, day of week");
            }
        }
        String zone = spec.path("timezone").asString("");
        if (CronDefinition.zone(zone) == null) {
            findings.error(
                    where.key("timezone"),
                    "unknown time zone " + zone,
                    "write a name such as Europe/Berlin");
        }
        String policy = spec.path("concurrencyPolicy").asString("");
        if (!policy.isEmpty() && !POLICIES.contains(policy)) {
            findings.error(
                    where.key("concurrencyPolicy"),
                    "'" + policy + "' is not a valid concurrencyPolicy",
                    "choose one of " + String.join(", ", POLICIES));
        }
        if (spec.path("startingDeadlineSeconds").asLong(0) < 0) {
            findings.error(
                    where.key("startingDeadlineSeconds"),
                    "startingDeadlineSeconds must be positive");
        }
        stopStrategy(spec, where.key("stopStrategy").key("expression"));
        when(spec.path("when").asString(""), where.key("when"));
    }

    private void stopStrategy(JsonNode spec, Where where) {
        if (!spec.hasNonNull("stopStrategy")) {
            return;
        }
        String expression = spec.path("stopStrategy").path("expression").asString("");
        if (expression.isEmpty()) {
            findings.error(
                    where,
                    "stopStrategy needs an expression",
                    "write one such as cronworkflow.failed >= 3");
            return;
        }
        ExprProgram program = tags.expression(expression, where, "stopStrategy.expression");
        if (program != null) {
            members(program.memberPaths(), program.variables(), where);
        }
    }

    private void when(String when, Where where) {
        TagTemplate template = TagTemplate.parse(when);
        for (Tag tag : template.tags()) {
            switch (tag) {
                case Tag.Simple(String name) -> {
                    if (!isKnown(List.of(name.split("\\.", -1)))) {
                        findings.error(where, "when failed to resolve {{" + name + "}}", VARIABLES);
                    }
                }
                case Tag.Expression(String source) -> {
                    ExprProgram program =
                            tags.expression(
                                    source, where, "when expression tag {{=" + source + "}}");
                    if (program != null) {
                        members(program.memberPaths(), program.variables(), where);
                    }
                }
            }
        }
        // With tags the condition is known only when they are replaced.
        if (template.tags().isEmpty()
                && WhenCondition.evaluate(when) instanceof WhenCondition.Outcome.Invalid(var why)) {
            findings.error(where, why, VARIABLES);
        }
    }

    private void members(Set<List<String>> paths, Set<String> roots, Where where) {
        for (String root : roots) {
            if (!root.equals(ROOT)) {
                findings.error(where, "there is no variable " + root, VARIABLES);
            }
        }
        for (List<String> path : paths) {
            if (path.getFirst().equals(ROOT) && !isKnown(path)) {
                findings.error(where, "there is no variable " + String.join(".", path), VARIABLES);
            }
        }
    }

    private static boolean isKnown(List<String> path) {
        return path.size() > 1 && path.getFirst().equals(ROOT) && MEMBERS.contains(path.get(1));
    }
}
