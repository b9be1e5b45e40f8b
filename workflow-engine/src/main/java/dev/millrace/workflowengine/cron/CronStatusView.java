package dev.millrace.workflowengine.cron;

import dev.millrace.schemas.manifest.Kind;
import dev.millrace.schemas.record.CronStatus;
import dev.millrace.schemas.record.StatusRecord;
import dev.millrace.schemas.record.WorkflowRef;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** The status of a CronWorkflow. */
public final class CronStatusView {
    private CronStatusView() {}

    /** Whether the statuses of two states differ. */
    public static boolean differs(CronState a, CronState b) {
        return !of("", "", a, Instant.EPOCH).equals(of("", "", b, Instant.EPOCH));
    }

    /** The status of one that has a manifest. */
    public static StatusRecord of(String namespace, String name, CronState state, Instant now) {
        JsonNode manifest = state.manifest();
        CronDefinition definition = manifest == null ? null : CronMachine.sound(manifest);
        return new StatusRecord(
                Kind.CRON_WORKFLOW.yamlName(),
                namespace,
                name,
                state.version(),
                state.conditions().entrySet().stream()
                        .map(
                                c ->
                                        new StatusRecord.Condition(
                                                c.getKey(), "True", null, c.getValue()))
                        .toList(),
                Map.of(),
                now,
                new CronStatus(
                        state.active().stream()
                                .map(r -> new WorkflowRef(namespace, r.workflow(), r.uid()))
                                .toList(),
                        state.lastScheduledTime(),
                        state.succeeded(),
                        state.failed(),
                        state.stopped() ? "Stopped" : "Active",
                        definition == null ? List.of() : definition.schedulesWithZone()));
    }
}
