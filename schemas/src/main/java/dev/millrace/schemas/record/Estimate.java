package dev.millrace.schemas.record;

import java.util.Map;

/**
 * How long a workflow and its nodes are expected to take: as long as an earlier one from the same
 * template did.
 *
 * @param workflow name of the earlier one
 * @param seconds of the whole workflow
 * @param nodes seconds by node name without the workflow's; empty if it had too many
 */
public record Estimate(String workflow, long seconds, Map<String, Long> nodes) {
    public Estimate {
        nodes = nodes == null ? Map.of() : nodes;
    }
}
