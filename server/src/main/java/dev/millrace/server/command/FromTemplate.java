package dev.millrace.server.command;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.manifest.Kind;
import dev.millrace.server.manifests.ManifestStore;
import dev.millrace.workflowengine.cron.ScheduledWorkflow;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Workflows of stored objects: a template is referred to, a cron workflow's spec is copied. */
public final class FromTemplate {

    private static final String PREFIX = "workflows.argoproj.io/";

    private final ManifestStore manifests;
    private final InstantSource clock;

    public FromTemplate(ManifestStore manifests, InstantSource clock) {
        this.manifests = manifests;
        this.clock = clock;
    }

    /**
     * The workflow that a submit request asks for.
     *
     * @param request with {@code resourceKind}, {@code resourceName} and {@code submitOptions}
     * @throws RefusedException if the object is not there, or an option is wrong
     */
    public ObjectNode workflow(String namespace, ObjectNode request) {
        manifests.awaitOwnWrites();
        Kind kind = kind(request.path("resourceKind").asString(""));
        String name = request.path("resourceName").asString("");
        JsonNode stored =
                manifests
                        .find(kind, kind.isNamespaced() ? namespace : "", name)
                        .orElseThrow(() -> ManifestStore.notFound(kind, name))
                        .manifest();
        ObjectNode workflow =
                kind == Kind.CRON_WORKFLOW
                        ? ScheduledWorkflow.byHand(stored, clock.instant())
                        : ofTemplate(kind, namespace, name);
        options(
                request.path("submitOptions"),
                workflow.withObject("/metadata"),
                workflow.withObject("/spec"));
        if (workflow.path("metadata").path("labels").has(ScheduledWorkflow.BACKFILL)) {
            // It stays when the CronWorkflow goes, as it is no part of its history.
            workflow.withObject("/metadata").remove("ownerReferences");
        }
        return workflow;
    }

    private static ObjectNode ofTemplate(Kind kind, String namespace, String name) {
        ObjectNode workflow = Json.object();
        workflow.put("apiVersion", Kind.WORKFLOW.apiVersion())
                .put("kind", Kind.WORKFLOW.yamlName());
        ObjectNode metadata = workflow.putObject("metadata");
        metadata.put("generateName", name + "-").put("namespace", namespace);
        boolean cluster = kind == Kind.CLUSTER_WORKFLOW_TEMPLATE;
        metadata.putObject("labels")
                .put(PREFIX + (cluster ? "cluster-workflow-template" : "workflow-template"), name);
        metadata.putObject("annotations");
        ObjectNode spec = workflow.putObject("spec");
        ObjectNode ref = spec.putObject("workflowTemplateRef").put("name", name);
        if (cluster) {
            ref.put("clusterScope", true);
        }
        return workflow;
    }

    private static void options(JsonNode options, ObjectNode metadata, ObjectNode spec) {
        text(options, "name", metadata, "name");
        text(options, "generateName", metadata, "generateName");
        text(options, "entryPoint", spec, "entrypoint");
        text(options, "serviceAccount", spec, "serviceAccountName");
        text(options, "podPriorityClassName", spec, "podPriorityClassName");
        if (options.path("priority").isInt()) {
            spec.put("priority", options.path("priority").intValue());
        }
        pairs(options.path("labels").asString(""), metadata.withObject("/labels"));
        pairs(options.path("annotations").asString(""), metadata.withObject("/annotations"));
        Resubmission.setParameters(spec, options.path("parameters"));
    }

    private static void text(JsonNode options, String option, ObjectNode into, String member) {
        String value = options.path(option).asString("");
        if (!value.isEmpty()) {
            into.put(member, value);
        }
    }

    /** {@code a=b,c=d}. */
    private static void pairs(String text, ObjectNode into) {
        for (String pair : text.isBlank() ? List.<String>of() : List.of(text.split(",", -1))) {
            int equals = pair.indexOf('=');
            if (equals <= 0) {
                throw RefusedException.invalid(
                        "'" + pair + "': key=value is expected, several separated by commas");
            }
            into.put(pair.substring(0, equals).strip(), pair.substring(equals + 1).strip());
        }
    }

    private static Kind kind(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "workflowtemplate", "workflowtemplates", "wftmpl" -> Kind.WORKFLOW_TEMPLATE;
            case "clusterworkflowtemplate", "clusterworkflowtemplates", "cwftmpl" ->
                    Kind.CLUSTER_WORKFLOW_TEMPLATE;
            case "cronworkflow", "cronworkflows", "cronwf" -> Kind.CRON_WORKFLOW;
            default ->
                    throw RefusedException.invalid(
                            "resourceKind '"
                                    + text
                                    + "': WorkflowTemplate, ClusterWorkflowTemplate or CronWorkflow is expected");
        };
    }
}
