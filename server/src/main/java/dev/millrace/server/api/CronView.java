package dev.millrace.server.api;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.manifest.Kind;
import dev.millrace.schemas.record.CronStatus;
import dev.millrace.schemas.record.StatusRecord;
import dev.millrace.schemas.record.WorkflowRef;
import java.time.format.DateTimeFormatter;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The status of a CronWorkflow in the shape that clients know. */
final class CronView {

    private static final String PREFIX = "cronworkflows.argoproj.io/";

    private CronView() {}

    /**
     * Puts a status into an object.
     *
     * @param record a {@link StatusRecord} as JSON
     */
    static void show(ObjectNode object, JsonNode record) {
        StatusRecord status = Json.convert(record, StatusRecord.class);
        CronStatus cron = status.cron();
        if (cron == null) {
            return;
        }
        ObjectNode shown = object.putObject("status");
        ArrayNode active = shown.putArray("active");
        for (WorkflowRef workflow : cron.active()) {
            active.addObject()
                    .put("apiVersion", Kind.WORKFLOW.apiVersion())
                    .put("kind", Kind.WORKFLOW.yamlName())
                    .put("name", workflow.name())
                    .put("namespace", workflow.namespace())
                    .put("uid", workflow.uid());
        }
        ArrayNode conditions = shown.putArray("conditions");
        status.conditions().forEach(condition -> conditions.add(Json.tree(condition)));
        if (cron.lastScheduledTime() != null) {
            shown.put(
                    "lastScheduledTime",
                    DateTimeFormatter.ISO_INSTANT.format(cron.lastScheduledTime()));
        }
        shown.put("phase", cron.phase());
        shown.put("succeeded", cron.succeeded());
        shown.put("failed", cron.failed());
        ObjectNode metadata = object.withObject("/metadata");
        if (!cron.schedules().isEmpty()) {
            metadata.withObject("/annotations")
                    .put(PREFIX + "last-used-schedule", String.join(",", cron.schedules()));
        }
        if (cron.phase().equals("Stopped")) {
            metadata.withObject("/labels").put(PREFIX + "completed", "true");
        }
    }
}
