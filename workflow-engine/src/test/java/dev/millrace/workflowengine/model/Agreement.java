package dev.millrace.workflowengine.model;

import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.NodeType;
import dev.millrace.schemas.record.WorkflowHead;
import dev.millrace.schemas.record.WorkflowPhase;
import dev.millrace.schemas.workflow.Outputs;
import dev.millrace.schemas.workflow.Parameter;
import dev.millrace.workflowengine.core.NodeNames;
import dev.millrace.workflowengine.state.InMemoryWorkflow;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Whether the core and the model say the same of every node. Children and outbound nodes are sets:
 * what begins at the same instant has no order.
 */
final class Agreement {
    private Agreement() {}

    static String id(Spot spot) {
        return NodeNames.id(SlowTree.NAME, spot.name());
    }

    /** What differs, the core's side first; empty if nothing does. */
    static List<String> differences(InMemoryWorkflow core, SlowTree model) {
        Map<String, String> ours = lines(core);
        Map<String, String> theirs = new TreeMap<>();
        model.spots().forEach(s -> theirs.put(s.name(), line(s)));
        List<String> differences = new ArrayList<>();
        Stream.concat(ours.keySet().stream(), theirs.keySet().stream())
                .distinct()
                .filter(name -> !Objects.equals(ours.get(name), theirs.get(name)))
                .forEach(
                        name ->
                                differences.add(
                                        "core:  %s: %s%nmodel: %s: %s"
                                                .formatted(
                                                        name,
                                                        ours.get(name),
                                                        name,
                                                        theirs.get(name))));
        String head = head(Objects.requireNonNull(core.head()));
        String phase = model.phase() + " " + (model.done() ? model.message() : null);
        if (!head.equals(phase)) {
            differences.add("core:  workflow: %s%nmodel: workflow: %s".formatted(head, phase));
        }
        return differences;
    }

    /** What is compared of each node, by name. */
    static Map<String, String> lines(InMemoryWorkflow core) {
        Map<String, String> lines = new TreeMap<>();
        for (String id : core.nodes()) {
            Node node = Objects.requireNonNull(core.node(id));
            lines.put(node.name(), line(core, node));
        }
        return lines;
    }

    private static String head(WorkflowHead head) {
        WorkflowPhase phase = head.phase() == null ? WorkflowPhase.PENDING : head.phase();
        return phase + " " + (phase.finished() ? head.message() : null);
    }

    private static String line(InMemoryWorkflow core, Node node) {
        Outputs outputs = node.outputs();
        return String.join(
                " | ",
                node.type().toString(),
                node.phase().toString(),
                "" + node.message(),
                "template " + node.templateName(),
                "boundary " + name(core, node.boundaryId()),
                flags(node.hooked(), node.attempt()),
                "in " + (node.inputs() == null ? Map.of() : parameters(node.inputs().parameters())),
                "out " + (outputs == null ? Map.of() : parameters(outputs.parameters())),
                "result " + (outputs == null ? null : outputs.result()),
                "code " + (outputs == null ? null : outputs.exitCode()),
                "children " + names(core, core.children(node.id())),
                "outbound " + names(core, node.outboundNodes()),
                "from " + node.startedAt() + " to " + node.finishedAt());
    }

    private static String line(Spot spot) {
        boolean inline = spot.call.inline();
        Spot boundary = spot.boundary();
        return String.join(
                " | ",
                spot.type.toString(),
                spot.phase.toString(),
                "" + spot.message,
                "template "
                        + (inline || spot.type == NodeType.STEP_GROUP
                                ? null
                                : spot.template().name()),
                "boundary " + (boundary == null ? null : boundary.name()),
                flags(spot.call.hooked(), spot.call.attempt()),
                "in " + new TreeMap<>(spot.inputs),
                "out " + (spot.outputs == null ? Map.of() : new TreeMap<>(spot.outputs)),
                "result " + spot.result,
                "code " + spot.exitCode,
                "children " + names(spot.children),
                "outbound " + names(spot.outbound),
                "from " + spot.started + " to " + spot.finished);
    }

    private static String flags(boolean hooked, boolean attempt) {
        return (hooked ? "hook " : "") + (attempt ? "attempt" : "");
    }

    private static Map<String, String> parameters(List<Parameter> parameters) {
        Map<String, String> all = new TreeMap<>();
        parameters.forEach(p -> all.put(p.name(), p.value() == null ? "null" : p.value().text()));
        return all;
    }

    private static @Nullable String name(InMemoryWorkflow core, @Nullable String id) {
        return id == null ? null : Objects.requireNonNull(core.node(id)).name();
    }

    private static List<String> names(InMemoryWorkflow core, Collection<String> ids) {
        return ids.stream().map(id -> "" + name(core, id)).sorted().toList();
    }

    private static List<String> names(Collection<Spot> spots) {
        return spots.stream().map(Spot::name).sorted().toList();
    }
}
