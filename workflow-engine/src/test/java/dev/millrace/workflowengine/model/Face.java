package dev.millrace.workflowengine.model;

import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.NodeType;
import dev.millrace.schemas.workflow.Outputs;
import dev.millrace.schemas.workflow.Parameter;
import dev.millrace.workflowengine.state.InMemoryWorkflow;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What core and model have to say alike of a node. Children and outbound nodes are sorted: what
 * begins at the same instant has no order. Other nodes are known by their names.
 */
record Face(
        String name,
        NodeType type,
        NodePhase phase,
        @Nullable String message,
        @Nullable String template,
        @Nullable String boundary,
        boolean hooked,
        boolean attempt,
        Map<String, String> inputs,
        Map<String, String> outputs,
        @Nullable String result,
        @Nullable String exitCode,
        List<String> children,
        List<String> outbound,
        Instant started,
        @Nullable Instant finished) {

    static Face of(InMemoryWorkflow core, Node node) {
        Outputs outputs = node.outputs();
        return new Face(
                node.name(),
                node.type(),
                node.phase(),
                node.message(),
                node.templateName(),
                node.boundaryId() == null ? null : name(core, node.boundaryId()),
                node.hooked(),
                node.attempt(),
                node.inputs() == null ? Map.of() : parameters(node.inputs().parameters()),
                outputs == null ? Map.of() : parameters(outputs.parameters()),
                outputs == null ? null : outputs.result(),
                outputs == null ? null : outputs.exitCode(),
                names(core, core.children(node.id())),
                names(core, node.outboundNodes()),
                node.startedAt(),
                node.finishedAt());
    }

    static Face of(Spot spot) {
        boolean unnamed = spot.call.inline() || spot.type == NodeType.STEP_GROUP;
        Spot boundary = spot.boundary();
        return new Face(
                spot.name(),
                spot.type,
                spot.phase,
                spot.message,
                unnamed ? null : spot.template().name(),
                boundary == null ? null : boundary.name(),
                spot.call.hooked(),
                spot.call.attempt(),
                spot.inputs,
                spot.outputs == null ? Map.of() : spot.outputs,
                spot.result,
                spot.exitCode,
                names(spot.children),
                names(spot.outbound),
                spot.started,
                spot.finished);
    }

    private static Map<String, String> parameters(List<Parameter> parameters) {
        if (parameters.isEmpty()) {
            return Map.of();
        }
        Map<String, String> all = new TreeMap<>();
        parameters.forEach(p -> all.put(p.name(), p.value() == null ? "null" : p.value().text()));
        return all;
    }

    private static String name(InMemoryWorkflow core, String id) {
        return Objects.requireNonNull(core.node(id), id).name();
    }

    private static List<String> names(InMemoryWorkflow core, Collection<String> ids) {
        return ids.stream().map(id -> name(core, id)).sorted().toList();
    }

    private static List<String> names(Collection<Spot> spots) {
        return spots.stream().map(Spot::name).sorted().toList();
    }
}
