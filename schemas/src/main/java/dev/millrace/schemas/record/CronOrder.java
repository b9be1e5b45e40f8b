package dev.millrace.schemas.record;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.time.Instant;
import tools.jackson.databind.JsonNode;

/**
 * A record of {@code cron-orders}: what a CronWorkflow wants done. Keyed by {@code namespace/name}
 * of the CronWorkflow. The command ids follow from the workflow's name, so an order that is carried
 * out again does nothing.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = CronOrder.Submit.class, name = "Submit"),
    @JsonSubTypes.Type(value = CronOrder.Terminate.class, name = "Terminate"),
    @JsonSubTypes.Type(value = CronOrder.Delete.class, name = "Delete")
})
public sealed interface CronOrder {
    String commandId();

    String namespace();

    /** Name of the CronWorkflow. */
    String cron();

    /** Start the workflow of a scheduled time. */
    record Submit(
            String commandId,
            String namespace,
            String cron,
            Instant scheduledTime,
            JsonNode workflow)
            implements CronOrder {}

    /** Another takes its place. */
    record Terminate(String commandId, String namespace, String cron, String workflow)
            implements CronOrder {}

    /** The history has no room for it, or the CronWorkflow is gone. */
    record Delete(String commandId, String namespace, String cron, String workflow)
            implements CronOrder {}
}
