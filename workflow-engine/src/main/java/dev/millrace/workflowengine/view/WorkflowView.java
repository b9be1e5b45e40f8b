package dev.millrace.workflowengine.view;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.Estimate;
import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.ShutdownStrategy;
import dev.millrace.schemas.record.WorkflowHead;
import dev.millrace.schemas.record.WorkflowPhase;
import dev.millrace.schemas.record.WorkflowSource;
import dev.millrace.schemas.record.WorkflowStage;
import dev.millrace.schemas.workflow.Outputs;
import dev.millrace.workflowengine.core.Claims;
import dev.millrace.workflowengine.state.ArtifactGcStrategy;
import dev.millrace.workflowengine.state.Outbound;
import dev.millrace.workflowengine.state.WorkflowState;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Renders a workflow as the object that clients of the field know: {@code metadata}, {@code spec},
 * {@code status}.
 */
public final class WorkflowView {
    private static final String PREFIX = "workflows.argoproj.io/";

    private static final Outputs NO_OUTPUTS = new Outputs(List.of(), List.of(), null, null);

    /**
     * What of a workflow is written.
     *
     * @param resourceVersion version to show, opaque to clients
     * @param nodes whether {@code status.nodes} is wanted
     * @param annotations to show beside those of the workflow
     */
    public record Wanted(String resourceVersion, boolean nodes, Map<String, String> annotations) {
        public Wanted {
            annotations = Map.copyOf(annotations);
        }
    }

    private WorkflowView() {}

    /**
     * Renders a workflow that exists.
     *
     * @param resourceVersion version to show, opaque to clients
     */
    public static ObjectNode render(WorkflowState state, String resourceVersion) {
        WorkflowHead head = head(state);
        WorkflowSource source = source(state);
        NodeTotals totals = new NodeTotals(state, head.name(), true);
        ObjectNode view = top(head, source, resourceVersion);
        ObjectNode status = beforeNodes(head, source, totals);
        view.set("status", status);
        if (totals.count() > 0) {
            ObjectNode nodes = status.putObject("nodes");
            NodeTotals.each(state, node -> nodes.set(node.id(), node(state, source, totals, node)));
        }
        status.setAll(behindNodes(head, source, totals));
        return view;
    }

    /**
     * Writes what {@link #render} gives, node by node: however many there are, one is in memory.
     *
     * @param out stays open
     * @return how many nodes the workflow has
     */
    public static int write(WorkflowState state, Wanted wanted, JsonGenerator out) {
        WorkflowHead head = head(state);
        WorkflowSource source = source(state);
        NodeTotals totals = new NodeTotals(state, head.name(), wanted.nodes());
        ObjectNode top = top(head, source, wanted.resourceVersion());
        ObjectNode annotations = top.withObject("/metadata").withObject("/annotations");
        wanted.annotations().forEach(annotations::put);
        out.writeStartObject();
        members(top, out);
        out.writeName("status");
        out.writeStartObject();
        members(beforeNodes(head, source, totals), out);
        if (wanted.nodes() && totals.count() > 0) {
            out.writeName("nodes");
            out.writeStartObject();
            NodeTotals.each(
                    state,
                    node -> {
                        out.writeName(node.id());
                        out.writeTree(node(state, source, totals, node));
                    });
            out.writeEndObject();
        }
        members(behindNodes(head, source, totals), out);
        out.writeEndObject();
        out.writeEndObject();
        return totals.count();
    }

    private static void members(ObjectNode object, JsonGenerator out) {
        object.properties()
                .forEach(
                        member -> {
                            out.writeName(member.getKey());
                            out.writeTree(member.getValue());
                        });
    }

    private static WorkflowHead head(WorkflowState state) {
        return Objects.requireNonNull(state.head(), "the workflow does not exist");
    }

    private static WorkflowSource source(WorkflowState state) {
        return Objects.requireNonNull(state.source(), "the workflow does not exist");
    }

    private static ObjectNode top(
            WorkflowHead head, WorkflowSource source, String resourceVersion) {
        ObjectNode view = Json.object();
        view.put("apiVersion", "argoproj.io/v1alpha1");
        view.put("kind", "Workflow");
        view.set("metadata", metadata(head, source, resourceVersion));
        view.set("spec", spec(head, source));
        return view;
    }

    /** The metadata with the labels that the engine adds. */
    public static ObjectNode metadata(
            WorkflowHead head, WorkflowSource source, String resourceVersion) {
        ObjectNode metadata =
                source.manifest().path("metadata") instanceof ObjectNode written
                        ? written.deepCopy()
                        : Json.object();
        metadata.put("name", head.name());
        metadata.put("namespace", head.namespace());
        metadata.put("uid", head.uid());
        metadata.put("creationTimestamp", NodeView.time(head.createdAt()));
        metadata.put("resourceVersion", resourceVersion);
        Map<String, String> labels = labels(head);
        Map<String, String> annotations = new TreeMap<>(head.annotations());
        if (head.phase() != null) {
            if (head.lock() == null || !head.lock().waited()) {
                annotations.put(PREFIX + "pod-name-format", "v2");
            }
        }
        metadata.set("labels", Json.tree(labels));
        metadata.set("annotations", Json.tree(annotations));
        return metadata;
    }

    /** The labels with those that the engine adds. */
    public static Map<String, String> labels(WorkflowHead head) {
        Map<String, String> labels = new TreeMap<>(head.labels());
        if (head.phase() != null) {
            labels.put(PREFIX + "phase", head.phase().text());
            labels.put(PREFIX + "completed", Boolean.toString(head.phase().finished()));
        }
        return labels;
    }

    private static JsonNode spec(WorkflowHead head, WorkflowSource source) {
        ObjectNode spec =
                source.manifest().path("spec") instanceof ObjectNode written
                        ? written.deepCopy()
                        : Json.object();
        if (head.suspended()) {
            spec.put("suspend", true);
        } else {
            spec.remove("suspend");
        }
        ShutdownStrategy shutdown = head.shutdown();
        if (shutdown != null) {
            spec.put("shutdown", shutdown.text());
        }
        return spec;
    }

    private static ObjectNode beforeNodes(
            WorkflowHead head, WorkflowSource source, NodeTotals totals) {
        ObjectNode status = Json.object();
        WorkflowPhase phase = head.phase();
        status.put("phase", phase == null ? WorkflowPhase.PENDING.text() : phase.text());
        if (head.startedAt() != null) {
            status.put("startedAt", NodeView.time(head.startedAt()));
        }
        if (head.finishedAt() != null) {
            status.put("finishedAt", NodeView.time(head.finishedAt()));
        }
        if (head.message() != null
                && !head.message().isEmpty()
                && (head.stage() == WorkflowStage.DONE || phase == WorkflowPhase.PENDING)) {
            status.put("message", head.message());
        }
        conditions(status, head, source.warnings(), totals.pods());
        totals.all().show(status);
        Estimate estimate = source.estimate();
        if (estimate != null) {
            status.put("estimatedDuration", estimate.seconds());
        }
        return status;
    }

    private static ObjectNode node(
            WorkflowState state, WorkflowSource source, NodeTotals totals, Node node) {
        ObjectNode view =
                NodeView.render(
                        node,
                        state.children(node.id()),
                        Outbound.shown(state, node),
                        totals.of(node));
        Estimate estimate = source.estimate();
        String workflow = head(state).name();
        if (estimate != null && node.name().startsWith(workflow)) {
            Long seconds = estimate.nodes().get(node.name().substring(workflow.length()));
            if (seconds != null) {
                view.put("estimatedDuration", seconds);
            }
        }
        return view;
    }

    private static ObjectNode behindNodes(
            WorkflowHead head, WorkflowSource source, NodeTotals totals) {
        ObjectNode status = Json.object();
        artifacts(status, head, source);
        ObjectNode locks = LocksView.render(head, totals.locked);
        if (!locks.isEmpty()) {
            status.set("synchronization", locks);
        }
        claims(status, head, source);
        if (!source.storedTemplates().isEmpty()) {
            status.set("storedTemplates", Json.tree(source.storedTemplates()));
        }
        if (head.fromTemplate()) {
            status.set("storedWorkflowTemplateSpec", source.spec());
        }
        return status;
    }

    /** The claims of the workflow's own that still exist. */
    private static void claims(ObjectNode status, WorkflowHead head, WorkflowSource source) {
        WorkflowPhase phase = head.phase();
        if (phase == null || Claims.endWith(source.spec(), phase)) {
            return;
        }
        for (String template : Claims.templates(source.spec())) {
            status.withArray("persistentVolumeClaims")
                    .addObject()
                    .put("name", template)
                    .putObject("persistentVolumeClaim")
                    .put("claimName", Claims.name(head.name(), template));
        }
    }

    /** What the workflow gave, where it stored it, and what became of it. */
    private static void artifacts(ObjectNode status, WorkflowHead head, WorkflowSource source) {
        Outputs outputs = new Outputs(head.outputs(), head.artifacts(), null, null);
        if (!outputs.equals(NO_OUTPUTS)) {
            status.set("outputs", Json.tree(outputs));
        }
        if (source.artifactRepository() != null) {
            ObjectNode ref =
                    source.spec().path("artifactRepositoryRef") instanceof ObjectNode written
                            ? written.deepCopy()
                            : Json.object().put("default", true);
            ref.set("artifactRepository", source.artifactRepository());
            status.set("artifactRepositoryRef", ref);
        }
        Set<ArtifactGcStrategy> strategies = ArtifactGcStrategy.declared(source);
        ObjectNode collected = Json.object();
        if (strategies.isEmpty()) {
            collected.put("notSpecified", true);
        } else if (strategies.contains(ArtifactGcStrategy.ON_COMPLETION)
                && head.stage() == WorkflowStage.DONE) {
            collected
                    .putObject("strategiesProcessed")
                    .put(ArtifactGcStrategy.ON_COMPLETION.text(), true);
        }
        status.set("artifactGCStatus", collected);
    }

    private static void conditions(
            ObjectNode status, WorkflowHead head, List<String> warnings, boolean pods) {
        ArrayNode conditions = Json.mapper().createArrayNode();
        if (pods) {
            conditions.add(condition("PodRunning", head.activeSteps() > 0));
        }
        if (head.stage() == WorkflowStage.DONE) {
            conditions.add(condition("Completed", true));
        }
        if (!warnings.isEmpty()) {
            conditions.add(
                    condition("SpecWarning", true).put("message", String.join("; ", warnings)));
        }
        if (head.artifactGcError() != null) {
            conditions.add(
                    condition("ArtifactGCError", true).put("message", head.artifactGcError()));
        }
        if (head.metricsError() != null) {
            conditions.add(condition("MetricsError", true).put("message", head.metricsError()));
        }
        if (!conditions.isEmpty()) {
            status.set("conditions", conditions);
        }
    }

    private static ObjectNode condition(String type, boolean holds) {
        return Json.object().put("type", type).put("status", holds ? "True" : "False");
    }
}
