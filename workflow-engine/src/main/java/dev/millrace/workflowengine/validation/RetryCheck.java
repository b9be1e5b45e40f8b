package dev.millrace.workflowengine.validation;

import java.util.List;
import tools.jackson.databind.JsonNode;

/** Checks a retry strategy. */
final class RetryCheck {
    private static final List<String> POLICIES =
            List.of("Always", "OnFailure", "OnError", "OnTransientError");

    private final Findings findings;
    private final TagCheck tags;

    RetryCheck(Findings findings, TagCheck tags) {
        this.findings = findings;
        this.tags = tags;
    }

    /**
     * @param owner what messages call the template or workflow that has it
     */
    void check(JsonNode strategy, Where where, String owner) {
        if (!strategy.isObject()) {
            return;
        }
        String label = owner + ".retryStrategy";
        String policy = strategy.path("retryPolicy").asString("");
        if (!policy.isEmpty() && !POLICIES.contains(policy)) {
            findings.error(
                    where.key("retryPolicy"),
                    label + ".retryPolicy '" + policy + "' is not a valid RetryPolicy",
                    "choose one of " + String.join(", ", POLICIES));
        }
        String limit = strategy.path("limit").asString("");
        if (!limit.isEmpty() && !limit.contains("{{") && !limit.matches("\\d{1,9}")) {
            findings.error(
                    where.key("limit"),
                    label + ".limit '" + limit + "' is not a number",
                    "write how often it is tried again, 0 or more");
        }
        String expression = strategy.path("expression").asString("");
        if (!expression.isEmpty()) {
            tags.expression(expression, where.key("expression"), label + ".expression");
        }
        JsonNode backoff = strategy.path("backoff");
        for (String member : List.of("duration", "maxDuration", "cap")) {
            Durations.check(
                    backoff.path(member),
                    where.key("backoff").key(member),
                    label + ".backoff." + member,
                    Durations.Form.SECONDS_OR_DAYS,
                    findings);
        }
    }
}
