package dev.millrace.cli.testing;

import dev.millrace.cli.testing.WorkflowTest.Attempt;
import dev.millrace.cli.testing.WorkflowTest.Step;
import dev.millrace.expressions.duration.GoDuration;
import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.StepOutcome;
import dev.millrace.schemas.record.StepSpec;
import dev.millrace.schemas.workflow.Outputs;
import dev.millrace.schemas.workflow.Parameter;
import dev.millrace.schemas.workflow.Scalar;
import dev.millrace.schemas.workflow.Template;
import dev.millrace.workflowengine.simulation.SimulatedSteps;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Steps that go as a test file says. */
final class MockedSteps implements SimulatedSteps {

    private static final Attempt SUCCEEDS = new Attempt(null, null, null, null, null);

    private final List<Step> steps;
    private final NodeCalls calls;

    /** How many attempts there were, by the name that they share. */
    private final Map<String, Integer> attempts = new HashMap<>();

    private final Set<Integer> used = new HashSet<>();
    private final List<String> unsaid = new ArrayList<>();

    MockedSteps(List<Step> steps, NodeCalls calls) {
        this.steps = steps;
        this.calls = calls;
    }

    /** Whether the entry of this index was the first that fitted some step. */
    boolean isUsed(int index) {
        return used.contains(index);
    }

    /** Outputs that steps declare and that nothing is said of, in words. */
    List<String> unsaid() {
        return unsaid;
    }

    @Override
    public Course step(Node node, StepSpec spec) {
        Attempt attempt = attempt(node).orElse(SUCCEEDS);
        StepOutcome outcome = outcome(attempt);
        WorkflowTest.Outputs given = attempt.outputs();
        String result =
                !spec.captureResult()
                        ? null
                        : given == null || given.result() == null ? "" : given.result().text();
        Outputs declared = spec.template().outputs();
        Map<String, String> parameters = new LinkedHashMap<>(outcome.parameters());
        if (declared != null && outcome.phase() == NodePhase.SUCCEEDED) {
            for (Parameter parameter : declared.parameters()) {
                if (!parameters.containsKey(parameter.name())
                        && !computed(spec.template(), parameter)) {
                    Scalar otherwise = otherwise(parameter);
                    if (otherwise == null) {
                        String missing =
                                "%s gives output parameter %s, and nothing says what it is"
                                        .formatted(node.name(), parameter.name());
                        unsaid.add(missing);
                        return new Course(
                                after(attempt),
                                new StepOutcome(NodePhase.ERROR, missing, null, null, Map.of()));
                    }
                    parameters.put(parameter.name(), otherwise.text());
                }
            }
        }
        return new Course(
                after(attempt),
                new StepOutcome(
                        outcome.phase(),
                        outcome.message(),
                        outcome.exitCode(),
                        result,
                        parameters,
                        declared == null ? List.of() : declared.artifacts()));
    }

    @Override
    public Optional<Course> pause(Node node) {
        return attempt(node).map(attempt -> new Course(after(attempt), outcome(attempt)));
    }

    private Optional<Attempt> attempt(Node node) {
        int number = attempts.merge(calls.withoutAttempt(node), 1, Integer::sum) - 1;
        for (int i = 0; i < steps.size(); i++) {
            if (calls.fit(steps.get(i).match(), node)) {
                used.add(i);
                return Optional.of(steps.get(i).attempt(number));
            }
        }
        return Optional.empty();
    }

    /** Whether the engine makes this output of what the step gives. */
    private static boolean computed(Template template, Parameter parameter) {
        return (template.http() != null || template.plugin() != null)
                && parameter.valueFrom() != null
                && (parameter.valueFrom().expression() != null
                        || parameter.valueFrom().parameter() != null);
    }

    private static @Nullable Scalar otherwise(Parameter parameter) {
        if (parameter.valueFrom() != null && parameter.valueFrom().defaultValue() != null) {
            return parameter.valueFrom().defaultValue();
        }
        return parameter.defaultValue() != null ? parameter.defaultValue() : parameter.value();
    }

    private static Duration after(Attempt attempt) {
        return attempt.after() == null ? Duration.ZERO : GoDuration.parse(attempt.after());
    }

    private static StepOutcome outcome(Attempt attempt) {
        Integer exitCode = attempt.exitCode();
        NodePhase phase = phase(attempt);
        Map<String, String> parameters = new LinkedHashMap<>();
        if (attempt.outputs() != null) {
            attempt.outputs().parameters().forEach((name, v) -> parameters.put(name, v.text()));
        }
        String message = attempt.message();
        if (message == null && phase == NodePhase.FAILED) {
            exitCode = exitCode == null ? Integer.valueOf(1) : exitCode;
            message = "main: Error (exit code %d)".formatted(exitCode);
        }
        if (exitCode == null && phase == NodePhase.SUCCEEDED) {
            exitCode = 0;
        }
        return new StepOutcome(phase, message, exitCode, null, parameters);
    }

    /** Checked before by {@link Complaints}. */
    private static NodePhase phase(Attempt attempt) {
        if (attempt.phase() == null) {
            return attempt.exitCode() == null || attempt.exitCode() == 0
                    ? NodePhase.SUCCEEDED
                    : NodePhase.FAILED;
        }
        return NodePhase.valueOf(attempt.phase().toUpperCase(java.util.Locale.ROOT));
    }
}
