package dev.millrace.workflowengine.cron;

import dev.millrace.expressions.tag.Mode;
import dev.millrace.expressions.tag.Replacement;
import dev.millrace.expressions.tag.Scope;
import dev.millrace.expressions.tag.TagTemplate;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.manifest.Kind;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The workflows that a CronWorkflow starts. */
public final class ScheduledWorkflow {
    /** Label with the name of the CronWorkflow. */
    public static final String LABEL = "workflows.argoproj.io/cron-workflow";

    /**
     * Label, with the name of the CronWorkflow, of workflows that make up for times in the past:
     * they are no part of its history, and do not count for its policies.
     */
    public static final String BACKFILL = "workflows.argoproj.io/backfill";

    /** Annotation with the time that it is for, which is {@code workflow.scheduledTime}. */
    public static final String SCHEDULED_TIME = "workflows.argoproj.io/scheduled-time";

    private ScheduledWorkflow() {}

    /** A workflow that somebody starts by hand; its name is {@code generateName}. */
    public static ObjectNode byHand(JsonNode cron, Instant now) {
        ObjectNode workflow = workflow(cron, now);
        workflow.withObject("/metadata")
                .put("generateName", cron.path("metadata").path("name").asString("") + "-");
        return workflow;
    }

    /** The workflow of a scheduled time, with its tags {@code cronworkflow.*} in the arguments. */
    static Outcome scheduled(CronDefinition cron, Instant time, Scope variables) {
        ObjectNode workflow = workflow(cron.manifest(), time);
        workflow.withObject("/metadata").put("name", cron.workflowName(time));
        for (JsonNode parameter : workflow.path("spec").path("arguments").path("parameters")) {
            String value = parameter.path("value").asString("");
            if (!value.contains("cronworkflow") || !(parameter instanceof ObjectNode changed)) {
                continue;
            }
            switch (TagTemplate.parse(value).replace(variables, Mode.LENIENT, false)) {
                case Replacement.Text(String text, var _) -> changed.put("value", text);
                case Replacement.Failed(String message) -> {
                    return new Outcome.Failed(
                            "parameter '%s': %s"
                                    .formatted(parameter.path("name").asString(""), message));
                }
                case Replacement.NotYet(String tag) ->
                        throw new IllegalStateException(tag + " cannot be waited for");
            }
        }
        return new Outcome.Made(workflow);
    }

    /** What became of a workflow that was to be made. */
    sealed interface Outcome {
        record Made(ObjectNode workflow) implements Outcome {}

        record Failed(String message) implements Outcome {}
    }

    private static ObjectNode workflow(JsonNode cron, Instant time) {
        JsonNode metadata = cron.path("metadata");
        String name = metadata.path("name").asString("");
        ObjectNode workflow = Json.object();
        workflow.put("apiVersion", Kind.WORKFLOW.apiVersion())
                .put("kind", Kind.WORKFLOW.yamlName());
        ObjectNode own = workflow.putObject("metadata");
        own.put("namespace", metadata.path("namespace").asString(""));
        JsonNode written = cron.path("spec").path("workflowMetadata");
        ObjectNode labels = own.putObject("labels");
        labels.put(LABEL, name);
        written.path("labels").properties().forEach(l -> labels.set(l.getKey(), l.getValue()));
        ObjectNode annotations = own.putObject("annotations");
        annotations.put(
                SCHEDULED_TIME,
                DateTimeFormatter.ISO_INSTANT.format(time.truncatedTo(ChronoUnit.SECONDS)));
        written.path("annotations")
                .properties()
                .forEach(a -> annotations.set(a.getKey(), a.getValue()));
        own.putArray("ownerReferences")
                .addObject()
                .put("apiVersion", Kind.CRON_WORKFLOW.apiVersion())
                .put("kind", Kind.CRON_WORKFLOW.yamlName())
                .put("name", name)
                .put("uid", metadata.path("uid").asString(""))
                .put("controller", true)
                .put("blockOwnerDeletion", true);
        workflow.set("spec", cron.path("spec").path("workflowSpec").deepCopy());
        return workflow;
    }
}
