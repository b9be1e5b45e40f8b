package dev.millrace.workflowengine.model;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.LockRequest;
import dev.millrace.schemas.record.StepSpec;
import dev.millrace.schemas.record.WorkflowCommand;
import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.schemas.record.WorkflowHead;
import dev.millrace.schemas.record.WorkflowStage;
import dev.millrace.workflowengine.core.WorkflowInput;
import dev.millrace.workflowengine.core.WorkflowMachine;
import dev.millrace.workflowengine.simulation.SimulatedLocks;
import dev.millrace.workflowengine.state.Evolution;
import dev.millrace.workflowengine.state.InMemoryWorkflow;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** The core with what is around it: steps that run, timers, the locks. */
final class CorePlay {

    /** An input with the instant that it was decided with, and what came of it. */
    record Decided(WorkflowInput input, Instant now, List<WorkflowEvent> events) {}

    private static final JsonNode REPOSITORY =
            Json.mapper().readTree("{\"local\":{\"keyFormat\":\"{{workflow.name}}\"}}");

    private final InMemoryWorkflow state = new InMemoryWorkflow();
    private final WorkflowMachine machine;
    private final SimulatedLocks locks =
            new SimulatedLocks(Map.of("default/limits", Map.of("one", "1", "two", "2")));

    /** By node id. */
    final Map<String, StepSpec> running = new LinkedHashMap<>();

    /** How many nodes were made before a node, by its id. */
    final Map<String, Integer> made = new HashMap<>();

    final Map<String, Instant> timers = new TreeMap<>();
    final Deque<WorkflowCommand.LockAnswer> answers = new ArrayDeque<>();
    final List<Decided> history = new ArrayList<>();

    CorePlay(int budget) {
        machine = new WorkflowMachine(budget);
    }

    static WorkflowInput submission(JsonNode manifest) {
        return new WorkflowInput.Command(
                new WorkflowCommand.Submit(
                        "submit",
                        "default",
                        SlowTree.NAME,
                        "uid",
                        manifest,
                        manifest.path("spec"),
                        Map.of(),
                        false,
                        null,
                        REPOSITORY));
    }

    /** Decides an input and all the work that it leaves. */
    void feed(WorkflowInput input, Instant now) {
        decide(input, now);
        for (int i = 0; !head().work().isEmpty() && head().mayWork(); i++) {
            if (i > 100_000) {
                throw new AssertionError("the work does not come to an end: " + head().work());
            }
            decide(new WorkflowInput.Continue(), now);
        }
    }

    void decide(WorkflowInput input, Instant now) {
        List<WorkflowEvent> events = machine.decide(state, "default", SlowTree.NAME, input, now);
        history.add(new Decided(input, now, events));
        for (WorkflowEvent event : events) {
            Evolution.apply(state, "default", SlowTree.NAME, event);
            switch (event) {
                case WorkflowEvent.StepRequested(var spec) -> running.put(spec.nodeId(), spec);
                case WorkflowEvent.StepStopRequested(_, var nodeId, _) -> running.remove(nodeId);
                case WorkflowEvent.NodeAdded(var node) -> made.putIfAbsent(node.id(), made.size());
                case WorkflowEvent.TimerSet(var timer, var due) -> timers.put(timer, due);
                case WorkflowEvent.TimerCancelled(var timer) -> timers.remove(timer);
                case WorkflowEvent.LocksRequested(var nodeId, var names, var priority) ->
                        answers.addAll(
                                locks.answers(
                                        new LockRequest.Acquire(
                                                head().holder(nodeId),
                                                names,
                                                priority,
                                                head().createdAt())));
                case WorkflowEvent.LocksReleased(var holder) ->
                        answers.addAll(locks.answers(new LockRequest.Release(holder)));
                default -> {}
            }
        }
    }

    /** The state that the events of the first inputs, written and read again, fold to. */
    InMemoryWorkflow folded(int inputs) {
        InMemoryWorkflow folded = new InMemoryWorkflow();
        for (Decided decided : history.subList(0, inputs)) {
            for (WorkflowEvent event : decided.events()) {
                String json =
                        Json.mapper().writerFor(WorkflowEvent.class).writeValueAsString(event);
                Evolution.apply(
                        folded,
                        "default",
                        SlowTree.NAME,
                        Json.mapper().readValue(json, WorkflowEvent.class));
            }
        }
        return folded;
    }

    InMemoryWorkflow state() {
        return state;
    }

    /** Who has locks or waits for them. */
    List<String> held() {
        return locks.claimants().stream().map(Object::toString).toList();
    }

    WorkflowHead head() {
        return Objects.requireNonNull(state.head());
    }

    boolean done() {
        return head().stage() == WorkflowStage.DONE;
    }
}
