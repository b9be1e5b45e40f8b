package dev.millrace.workflowengine.core;

import dev.millrace.schemas.record.ContainerEnd;
import dev.millrace.schemas.record.Frame;
import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.NodeType;
import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.schemas.workflow.ContainerNode;
import dev.millrace.schemas.workflow.ContainerSet;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Container sets: one step with a node for each of its containers, which hang below those that they
 * depend on. The nodes only show; what runs when is decided where the step runs.
 */
final class ContainerSetRun {

    private ContainerSetRun() {}

    /**
     * Makes the nodes of the containers below the pod's.
     *
     * @throws CallException if the dependencies lead nowhere or in a circle
     */
    static void begin(Transition t, Node pod, ContainerSet set) {
        ordered(set)
                .forEach(
                        (name, dependencies) ->
                                t.add(
                                        container(t, pod, name),
                                        dependencies.isEmpty()
                                                ? List.of(pod.id())
                                                : dependencies.stream()
                                                        .map(d -> t.id(pod.name() + "." + d))
                                                        .toList()));
    }

    /**
     * The containers with their dependencies, each after all that it depends on.
     *
     * @throws CallException as {@link #begin} says
     */
    static Map<String, List<String>> ordered(ContainerSet set) {
        Map<String, List<String>> ordered = new LinkedHashMap<>();
        List<ContainerNode> left = new ArrayList<>(set.containers());
        while (!left.isEmpty()) {
            List<ContainerNode> ready =
                    left.stream()
                            .filter(c -> ordered.keySet().containsAll(c.dependencies()))
                            .toList();
            if (ready.isEmpty()) {
                throw new CallException(
                        "containerSet: the dependencies of container '"
                                + left.getFirst().name()
                                + "' are not defined or depend on it");
            }
            ready.forEach(c -> ordered.put(c.name() == null ? "" : c.name(), c.dependencies()));
            left.removeAll(ready);
        }
        return ordered;
    }

    private static Node container(Transition t, Node pod, String name) {
        String full = pod.name() + "." + name;
        return new Node(
                t.id(full),
                full,
                name,
                NodeType.CONTAINER,
                pod.templateName(),
                pod.templateRef(),
                pod.templateScope(),
                NodePhase.PENDING,
                pod.id(),
                null,
                t.now(),
                null,
                null,
                null,
                null,
                List.of(),
                null,
                null,
                pod.id(),
                null,
                null,
                pod.inline(),
                pod.depth(),
                pod.exitHandler(),
                Frame.EMPTY);
    }

    /** The step of the pod runs. */
    static void running(Transition t, Node pod) {
        for (Node container : containers(t, pod)) {
            if (container.phase() == NodePhase.PENDING) {
                t.emit(new WorkflowEvent.NodeRunning(container.id(), null));
            }
        }
    }

    /** The step said how its containers ended. */
    static void ended(Transition t, Node pod, List<ContainerEnd> ends) {
        for (ContainerEnd end : ends) {
            Node container = t.find(pod.name() + "." + end.name());
            if (container != null && !container.ended()) {
                t.finish(container, end.phase(), end.message(), null, List.of());
            }
        }
    }

    /** The pod ends as a whole; what is open of it ends likewise. */
    static void close(Transition t, Node pod, NodePhase phase, @Nullable String message) {
        for (Node container : containers(t, pod)) {
            if (!container.ended()) {
                t.finish(container, phase, message, null, List.of());
            }
        }
    }

    private static List<Node> containers(Transition t, Node pod) {
        List<Node> all = new ArrayList<>();
        for (var container : Calls.member(t, pod, "containerSet").path("containers")) {
            Node node = t.find(pod.name() + "." + container.path("name").asString(""));
            if (node != null) {
                all.add(node);
            }
        }
        return all;
    }
}
