package dev.millrace.workflowengine.core;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.NodeType;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** What the tasks of a DAG became, for the conditions of others. */
record TaskFacts(Transition t, Node dag, TaskGraph graph) implements Depends.Facts {

    @Override
    public boolean bare(String task) {
        if (daemoned(task)) {
            return true;
        }
        NodePhase phase = phase(task);
        JsonNode definition = graph.task(task);
        JsonNode continueOn =
                definition == null ? Json.mapper().missingNode() : definition.path("continueOn");
        return phase == NodePhase.SUCCEEDED
                || phase == NodePhase.SKIPPED
                || (phase == NodePhase.FAILED && continueOn.path("failed").asBoolean(false))
                || (phase == NodePhase.ERROR && continueOn.path("error").asBoolean(false));
    }

    @Override
    public boolean is(String task, Depends.Result result) {
        NodePhase phase = phase(task);
        return switch (result) {
            case SUCCEEDED -> phase == NodePhase.SUCCEEDED;
            case FAILED -> phase == NodePhase.FAILED;
            case ERRORED -> phase == NodePhase.ERROR;
            case SKIPPED -> phase == NodePhase.SKIPPED;
            case OMITTED -> phase == NodePhase.OMITTED;
            case DAEMONED -> daemoned(task);
            case ANY_SUCCEEDED ->
                    items(task).stream().anyMatch(n -> n.phase() == NodePhase.SUCCEEDED);
            case ALL_FAILED -> {
                List<Node> items = items(task);
                yield !items.isEmpty()
                        && items.stream().allMatch(n -> n.phase() == NodePhase.FAILED);
            }
        };
    }

    private boolean daemoned(String task) {
        Node node = t.find(dag.name() + "." + task);
        return node != null && node.daemoned();
    }

    private NodePhase phase(String task) {
        Node node = t.find(dag.name() + "." + task);
        return node == null ? NodePhase.PENDING : node.phase();
    }

    private List<Node> items(String task) {
        Node node = t.find(dag.name() + "." + task);
        if (node == null || node.type() != NodeType.TASK_GROUP) {
            return List.of();
        }
        return t.state().children(node.id()).stream()
                .map(t::node)
                .filter(n -> node.id().equals(n.ownerId()) && !n.hooked())
                .toList();
    }
}
