package dev.millrace.bench.micro;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.StepOutcome;
import dev.millrace.schemas.record.StepReport;
import dev.millrace.schemas.record.StepSpec;
import dev.millrace.schemas.record.WorkflowCommand;
import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.schemas.yaml.YamlReader;
import dev.millrace.workflowengine.core.WorkflowInput;
import dev.millrace.workflowengine.core.WorkflowMachine;
import dev.millrace.workflowengine.state.Evolution;
import dev.millrace.workflowengine.state.InMemoryWorkflow;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A workflow in memory that is taken to some point, to measure what happens next. */
final class RunningWorkflow {

    private static final String NAMESPACE = "default";
    private static final String NAME = "measured";
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final WorkflowMachine machine = new WorkflowMachine();
    private final InMemoryWorkflow state = new InMemoryWorkflow();
    private final Deque<StepSpec> running = new ArrayDeque<>();

    private RunningWorkflow() {}

    /** The state before the submission. */
    static RunningWorkflow notSubmitted() {
        return new RunningWorkflow();
    }

    /** A workflow whose {@code spec} is this YAML, submitted. */
    static RunningWorkflow submitted(String spec) {
        RunningWorkflow workflow = new RunningWorkflow();
        workflow.take(submission(spec));
        return workflow;
    }

    /** The command that submits it. */
    static WorkflowInput submission(String spec) {
        JsonNode tree = YamlReader.read("bench", spec).documents().getFirst().tree();
        ObjectNode manifest = Json.object();
        manifest.put("apiVersion", "argoproj.io/v1alpha1").put("kind", "Workflow");
        manifest.putObject("metadata").put("name", NAME).put("namespace", NAMESPACE);
        manifest.set("spec", tree);
        return new WorkflowInput.Command(
                new WorkflowCommand.Submit(
                        "submit", NAMESPACE, NAME, "uid", manifest, tree, Map.of(), false, null,
                        null));
    }

    /** Ends so many steps, the one that runs longest first. */
    RunningWorkflow finish(int steps) {
        for (int i = 0; i < steps; i++) {
            take(nextFinished());
            running.removeFirst();
        }
        return this;
    }

    /** The report that the step which runs longest has succeeded. */
    WorkflowInput nextFinished() {
        StepSpec spec = running.getFirst();
        return new WorkflowInput.Report(
                new StepReport.Finished(
                        spec.stepId(),
                        spec.nodeId(),
                        spec.workflow(),
                        NOW,
                        NOW,
                        new StepOutcome(NodePhase.SUCCEEDED, null, 0, "a result", Map.of())));
    }

    /** What the core decides; the state stays as it is. */
    List<WorkflowEvent> decide(WorkflowInput input) {
        return machine.decide(state, NAMESPACE, NAME, input, NOW);
    }

    private void take(WorkflowInput input) {
        apply(decide(input));
        while (!Objects.requireNonNull(state.head(), "it was submitted").work().isEmpty()) {
            apply(decide(new WorkflowInput.Continue()));
        }
    }

    private void apply(List<WorkflowEvent> events) {
        for (WorkflowEvent event : events) {
            Evolution.apply(state, NAMESPACE, NAME, event);
            if (event instanceof WorkflowEvent.StepRequested(var spec)) {
                running.addLast(spec);
            }
        }
    }
}
