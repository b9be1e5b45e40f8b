package dev.millrace.workflowengine.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.manifest.ManifestReader;
import dev.millrace.schemas.record.CommandAnswer;
import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.ShutdownStrategy;
import dev.millrace.schemas.record.StepOutcome;
import dev.millrace.schemas.record.StepReport;
import dev.millrace.schemas.record.StepSpec;
import dev.millrace.schemas.record.WorkflowCommand;
import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.schemas.record.WorkflowHead;
import dev.millrace.schemas.record.WorkflowPhase;
import dev.millrace.schemas.workflow.Parameter;
import dev.millrace.workflowengine.state.Evolution;
import dev.millrace.workflowengine.state.InMemoryWorkflow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Tells a workflow's story: what is submitted, what steps do, what people want, how time goes by,
 * what stands then.
 */
final class Scenario {
    static final String NAME = "wf";

    /** One input with the instant that it was decided with, and what came of it. */
    record Decided(WorkflowInput input, Instant now, List<WorkflowEvent> events) {}

    private final InMemoryWorkflow state = new InMemoryWorkflow();
    private final WorkflowMachine machine;
    private final Map<String, StepSpec> running = new LinkedHashMap<>();
    private final Map<String, StepSpec> stopping = new LinkedHashMap<>();
    private final Map<String, Instant> timers = new TreeMap<>();
    private final List<String> stopped = new ArrayList<>();
    private final List<Decided> history = new ArrayList<>();
    private Instant now = Instant.parse("2026-01-01T00:00:00.250Z");
    private int commands;

    private Scenario(int budget) {
        machine = new WorkflowMachine(budget);
    }

    /** A workflow whose spec is this YAML. */
    static Scenario given(String spec) {
        return given(spec, WorkflowMachine.DEFAULT_BUDGET);
    }

    static Scenario given(String spec, int budget) {
        String yaml =
                "apiVersion: argoproj.io/v1alpha1\nkind: Workflow\nmetadata:\n  name: wf\nspec:\n"
                        + spec.indent(2);
        JsonNode manifest =
                ManifestReader.read("scenario", yaml).documents().getFirst().manifest().tree();
        Scenario scenario = new Scenario(budget);
        scenario.submit("submit", manifest);
        return scenario;
    }

    Scenario submit(String commandId, JsonNode manifest) {
        return feed(
                new WorkflowInput.Command(
                        new WorkflowCommand.Submit(
                                commandId,
                                "default",
                                NAME,
                                "uid-" + commandId,
                                manifest,
                                manifest.path("spec"),
                                Map.of(),
                                false,
                                null,
                                null)));
    }

    Scenario submitAgain(String commandId) {
        return submit(commandId, Objects.requireNonNull(state.source()).manifest());
    }

    Scenario succeeds(String node) {
        return ends(node, new StepOutcome(NodePhase.SUCCEEDED, null, 0, null, Map.of()));
    }

    Scenario gives(String node, String result, Map<String, String> parameters) {
        return ends(node, new StepOutcome(NodePhase.SUCCEEDED, null, 0, result, parameters));
    }

    Scenario fails(String node, int exitCode) {
        return ends(
                node,
                new StepOutcome(
                        NodePhase.FAILED,
                        "main: Error (exit code " + exitCode + ")",
                        exitCode,
                        null,
                        Map.of()));
    }

    Scenario errs(String node, String message) {
        return ends(node, new StepOutcome(NodePhase.ERROR, message, null, null, Map.of()));
    }

    Scenario starts(String node) {
        StepSpec spec = spec(node);
        return feed(
                new WorkflowInput.Report(
                        new StepReport.Started(
                                spec.stepId(), spec.nodeId(), spec.workflow(), now, "host")));
    }

    /** A daemon says that it can be used. */
    Scenario ready(String node, String address) {
        StepSpec spec = spec(node);
        return feed(
                new WorkflowInput.Report(
                        new StepReport.Ready(
                                spec.stepId(), spec.nodeId(), spec.workflow(), now, address)));
    }

    /** A step that was told to stop has done so. */
    Scenario isGone(String node) {
        StepSpec spec = stopping.remove(node);
        assertThat(spec).as("%s was told to stop", node).isNotNull();
        return feed(
                new WorkflowInput.Report(
                        new StepReport.Finished(
                                spec.stepId(),
                                spec.nodeId(),
                                spec.workflow(),
                                now,
                                now,
                                new StepOutcome(
                                        NodePhase.FAILED, "stopped", 143, null, Map.of()))));
    }

    Scenario ends(String node, StepOutcome outcome) {
        StepSpec spec = spec(node);
        running.remove(node);
        return feed(
                new WorkflowInput.Report(
                        new StepReport.Finished(
                                spec.stepId(), spec.nodeId(), spec.workflow(), now, now, outcome)));
    }

    private StepSpec spec(String node) {
        StepSpec spec = running.get(node);
        assertThat(spec)
                .as("step %s is requested; requested are %s", node, running.keySet())
                .isNotNull();
        return spec;
    }

    /** Time goes by; timers that come due fire at their time. */
    Scenario after(Duration pause) {
        Instant end = now.plus(pause);
        while (true) {
            var due =
                    timers.entrySet().stream()
                            .filter(t -> !t.getValue().isAfter(end))
                            .min(Map.Entry.comparingByValue());
            if (due.isEmpty()) {
                now = end;
                return this;
            }
            String timer = due.get().getKey();
            Instant at = due.get().getValue();
            timers.remove(timer);
            now = at.isAfter(now) ? at : now;
            feed(new WorkflowInput.TimerFired(timer));
        }
    }

    Scenario stop() {
        return command(
                new WorkflowCommand.Shutdown(
                        id(), "default", NAME, ShutdownStrategy.STOP, null, null));
    }

    Scenario terminate() {
        return command(
                new WorkflowCommand.Shutdown(
                        id(), "default", NAME, ShutdownStrategy.TERMINATE, null, null));
    }

    Scenario suspend() {
        return command(new WorkflowCommand.Suspend(id(), "default", NAME));
    }

    Scenario resume(@Nullable String selector) {
        return command(new WorkflowCommand.Resume(id(), "default", NAME, selector, "ann"));
    }

    Scenario delete() {
        return command(new WorkflowCommand.Delete(id(), "default", NAME));
    }

    private String id() {
        return "command-" + commands++;
    }

    private Scenario command(WorkflowCommand command) {
        return feed(new WorkflowInput.Command(command));
    }

    private Scenario feed(WorkflowInput input) {
        decide(input);
        while (state.head() != null
                && !state.head().work().isEmpty()
                && !state.head().suspended()) {
            decide(new WorkflowInput.Continue());
        }
        return this;
    }

    private void decide(WorkflowInput input) {
        List<WorkflowEvent> events = machine.decide(state, "default", NAME, input, now);
        history.add(new Decided(input, now, events));
        for (WorkflowEvent event : events) {
            Evolution.apply(state, "default", NAME, event);
            switch (event) {
                case WorkflowEvent.StepRequested(var spec) -> running.put(spec.nodeName(), spec);
                case WorkflowEvent.StepStopRequested(var stepId, _, _) -> {
                    stopped.add(stepId);
                    running.values().stream()
                            .filter(s -> s.stepId().equals(stepId))
                            .forEach(s -> stopping.put(s.nodeName(), s));
                    running.values().removeIf(s -> s.stepId().equals(stepId));
                }
                case WorkflowEvent.TimerSet(var timer, var due) -> timers.put(timer, due);
                case WorkflowEvent.TimerCancelled(var timer) -> timers.remove(timer);
                default -> {}
            }
        }
    }

    List<Decided> history() {
        return history;
    }

    InMemoryWorkflow state() {
        return state;
    }

    /** Names of the nodes whose steps run, in order of request. */
    List<String> running() {
        return List.copyOf(running.keySet());
    }

    List<String> stopped() {
        return stopped;
    }

    StepSpec requested(String node) {
        return spec(node);
    }

    WorkflowHead head() {
        return Objects.requireNonNull(state.head());
    }

    Node node(String name) {
        Node node = state.node(NodeNames.id(NAME, name));
        assertThat(node).as("node %s; there are %s", name, names()).isNotNull();
        return node;
    }

    boolean has(String name) {
        return state.node(NodeNames.id(NAME, name)) != null;
    }

    private List<String> names() {
        return state.nodes().stream()
                .map(id -> Objects.requireNonNull(state.node(id)).name())
                .toList();
    }

    CommandAnswer lastAnswer() {
        return head().answers().getLast();
    }

    Scenario isFinished(WorkflowPhase phase, @Nullable String message) {
        assertThat(head().phase()).as("phase, message %s", head().message()).isEqualTo(phase);
        assertThat(head().message()).isEqualTo(message);
        return this;
    }

    Scenario phases(Map<String, NodePhase> phases) {
        phases.forEach((name, phase) -> assertThat(node(name).phase()).as(name).isEqualTo(phase));
        return this;
    }

    @Nullable String input(String node, String parameter) {
        return Objects.requireNonNull(node(node).inputs()).parameters().stream()
                .filter(p -> p.name().equals(parameter))
                .map(Parameter::value)
                .filter(Objects::nonNull)
                .map(Object::toString)
                .findFirst()
                .orElse(null);
    }

    static JsonNode tree(Object value) {
        return Json.tree(value);
    }
}
