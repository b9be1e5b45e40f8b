package dev.millrace.workflowengine.simulation;

import dev.millrace.schemas.record.LockRequest;
import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.NodeType;
import dev.millrace.schemas.record.StepOutcome;
import dev.millrace.schemas.record.StepReport;
import dev.millrace.schemas.record.StepSpec;
import dev.millrace.schemas.record.WorkflowCommand;
import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.schemas.record.WorkflowHead;
import dev.millrace.schemas.record.WorkflowStage;
import dev.millrace.schemas.workflow.Artifact;
import dev.millrace.workflowengine.core.WorkflowInput;
import dev.millrace.workflowengine.core.WorkflowMachine;
import dev.millrace.workflowengine.simulation.SimulatedSteps.Course;
import dev.millrace.workflowengine.state.Evolution;
import dev.millrace.workflowengine.state.InMemoryWorkflow;
import dev.millrace.workflowengine.state.WorkflowState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** One workflow from its submission to its end, in virtual time. */
public final class Simulation {

    /** More inputs than any workflow that a person writes by hand needs. */
    public static final int MOST_INPUTS = 1_000_000;

    private static final String PAST_DEADLINE =
            "Pod was active on the node longer than the specified deadline";

    private static final String ADDRESS = "127.0.0.1";

    private static final StepOutcome STOPPED =
            new StepOutcome(NodePhase.FAILED, "stopped", 143, null, Map.of());

    /**
     * What came of it.
     *
     * @param state as it stood at last
     * @param begun ids of the nodes whose steps or pauses began, in that order
     * @param took virtual time from the submission to the end
     * @param finished false if nothing more could happen before the end
     */
    public record Result(
            WorkflowState state, List<String> begun, Duration took, boolean finished) {}

    /** An input that comes at its time; of the same time, the earlier made one comes first. */
    private record Due(Instant at, long number, WorkflowInput input) {}

    private final Map<String, WorkflowEvent.CacheSaved> cache = new HashMap<>();
    private final WorkflowMachine machine = new WorkflowMachine();
    private final InMemoryWorkflow state = new InMemoryWorkflow();
    private final PriorityQueue<Due> queue =
            new PriorityQueue<>(Comparator.comparing(Due::at).thenComparingLong(Due::number));
    private final Map<String, Long> timers = new HashMap<>();
    private final Map<String, StepSpec> running = new HashMap<>();
    private final List<String> begun = new ArrayList<>();
    private final String namespace;
    private final String name;
    private final SimulatedSteps steps;
    private final SimulatedLocks locks;
    private Instant now;
    private long numbers;

    private Simulation(
            WorkflowCommand.Submit submit,
            SimulatedSteps steps,
            Map<String, Map<String, String>> limits,
            Instant start) {
        this.namespace = submit.namespace();
        this.name = submit.name();
        this.steps = steps;
        this.locks = new SimulatedLocks(limits);
        this.now = start;
        later(Duration.ZERO, new WorkflowInput.Command(submit));
    }

    /**
     * Runs a workflow to its end, or until nothing more can happen.
     *
     * @param limits values of ConfigMaps, for semaphores, by {@code namespace/name}
     * @param start the instant of the submission
     * @throws IllegalStateException if it does not end after {@link #MOST_INPUTS} inputs
     */
    public static Result run(
            WorkflowCommand.Submit submit,
            SimulatedSteps steps,
            Map<String, Map<String, String>> limits,
            Instant start) {
        Simulation simulation = new Simulation(submit, steps, limits, start);
        simulation.run();
        return new Result(
                simulation.state,
                List.copyOf(simulation.begun),
                Duration.between(start, simulation.now),
                simulation.isDone());
    }

    private void run() {
        for (int inputs = 0; !isDone(); inputs++) {
            Due next = queue.poll();
            if (next == null) {
                return;
            }
            if (inputs == MOST_INPUTS) {
                throw new IllegalStateException(
                        "the workflow goes on after %d inputs, at %s".formatted(inputs, now));
            }
            if (next.input() instanceof WorkflowInput.TimerFired(var timer)
                    && !timers.remove(timer, next.number())) {
                continue; // Cancelled, or set anew.
            }
            now = next.at();
            decide(next.input());
            while (hasWork()) {
                decide(new WorkflowInput.Continue());
            }
        }
    }

    private boolean isDone() {
        WorkflowHead head = state.head();
        return head != null && head.stage() == WorkflowStage.DONE;
    }

    private boolean hasWork() {
        WorkflowHead head = state.head();
        return head != null && !head.work().isEmpty() && head.mayWork();
    }

    private long later(Duration pause, WorkflowInput input) {
        return at(now.plus(pause), input);
    }

    private long at(Instant time, WorkflowInput input) {
        long number = numbers++;
        queue.add(new Due(time.isBefore(now) ? now : time, number, input));
        return number;
    }

    private void decide(WorkflowInput input) {
        for (WorkflowEvent event : machine.decide(state, namespace, name, input, now)) {
            Evolution.apply(state, namespace, name, event);
            carryOut(event);
        }
    }

    private void carryOut(WorkflowEvent event) {
        switch (event) {
            case WorkflowEvent.StepRequested(var spec) -> step(spec);
            case WorkflowEvent.NodeAdded(var node) -> pause(node);
            case WorkflowEvent.NodeBegun(var id, _, _) -> pause(node(id));
            case WorkflowEvent.TimerSet(var timer, var due) ->
                    timers.put(timer, at(due, new WorkflowInput.TimerFired(timer)));
            case WorkflowEvent.TimerCancelled(var timer) -> timers.remove(timer);
            case WorkflowEvent.LocksRequested(var nodeId, var wanted, var priority) ->
                    locks(
                            new LockRequest.Acquire(
                                    head().holder(nodeId), wanted, priority, head().createdAt()));
            case WorkflowEvent.LocksReleased(var holder) -> locks(new LockRequest.Release(holder));
            case WorkflowEvent.ArtifactsDiscardRequested(var stepId, var nodeId, var artifacts) ->
                    later(
                            Duration.ZERO,
                            new WorkflowInput.Report(
                                    new StepReport.Discarded(
                                            stepId,
                                            nodeId,
                                            head().ref(),
                                            now,
                                            artifacts.stream().map(Artifact::name).toList(),
                                            null)));
            case WorkflowEvent.StepStopRequested(var stepId, _, _) -> {
                StepSpec spec = running.get(stepId);
                if (spec != null) {
                    at(now, finished(spec, now, STOPPED));
                }
            }
            case WorkflowEvent.CacheAsked(var nodeId, var cacheName, var cacheKey) -> {
                WorkflowEvent.CacheSaved found = cache.get(cacheName + "/" + cacheKey);
                later(
                        Duration.ZERO,
                        new WorkflowInput.Command(
                                new WorkflowCommand.AnswerCache(
                                        "cache/" + nodeId,
                                        namespace,
                                        name,
                                        head().uid(),
                                        nodeId,
                                        head().run(),
                                        found == null ? null : found.at(),
                                        found == null ? null : found.outputs(),
                                        null)));
            }
            case WorkflowEvent.CacheSaved saved ->
                    cache.put(saved.cacheName() + "/" + saved.cacheKey(), saved);
            case WorkflowEvent.StepForgotten _,
                    WorkflowEvent.Retried _,
                    WorkflowEvent.NodeReopened _,
                    WorkflowEvent.ChildrenRemoved _,
                    WorkflowEvent.ClaimsReleased _,
                    WorkflowEvent.Submitted _,
                    WorkflowEvent.SourcePart _,
                    WorkflowEvent.CommandAnswered _,
                    WorkflowEvent.Started _,
                    WorkflowEvent.StageChanged _,
                    WorkflowEvent.ChildrenAdded _,
                    WorkflowEvent.NodeRunning _,
                    WorkflowEvent.NodeDaemoned _,
                    WorkflowEvent.NodeProgressed _,
                    WorkflowEvent.NodeMessage _,
                    WorkflowEvent.NodeOutputs _,
                    WorkflowEvent.NodeFinished _,
                    WorkflowEvent.FrameChanged _,
                    WorkflowEvent.OutputExported _,
                    WorkflowEvent.ArtifactExported _,
                    WorkflowEvent.SuspensionChanged _,
                    WorkflowEvent.ShutdownRequested _,
                    WorkflowEvent.WorkDeferred _,
                    WorkflowEvent.WorkBlocked _,
                    WorkflowEvent.LockAwaited _,
                    WorkflowEvent.LocksGranted _,
                    WorkflowEvent.Finished _,
                    WorkflowEvent.ArtifactsDiscarded _,
                    WorkflowEvent.MetricEmitted _,
                    WorkflowEvent.MetricFailed _,
                    WorkflowEvent.NodesRemoved _,
                    WorkflowEvent.Deleted _ -> {}
        }
    }

    private void step(StepSpec spec) {
        begun.add(spec.nodeId());
        Course course = bounded(steps.step(node(spec.nodeId()), spec), spec.deadlineSeconds());
        Instant end = now.plus(course.after());
        later(
                Duration.ZERO,
                new WorkflowInput.Report(
                        new StepReport.Started(
                                spec.stepId(), spec.nodeId(), spec.workflow(), now, null)));
        running.put(spec.stepId(), spec);
        boolean daemon = Boolean.TRUE.equals(spec.template().daemon());
        if (daemon && course.outcome().phase() == NodePhase.SUCCEEDED) {
            // It runs on until what it is for has ended and it is stopped.
            at(
                    end,
                    new WorkflowInput.Report(
                            new StepReport.Ready(
                                    spec.stepId(), spec.nodeId(), spec.workflow(), end, ADDRESS)));
        } else {
            at(end, finished(spec, end, course.outcome()));
        }
    }

    private WorkflowInput finished(StepSpec spec, Instant end, StepOutcome outcome) {
        return new WorkflowInput.Report(
                new StepReport.Finished(
                        spec.stepId(), spec.nodeId(), spec.workflow(), end, now, outcome));
    }

    /** The executor ends a step at its deadline. */
    private static Course bounded(Course course, @Nullable Long deadlineSeconds) {
        if (deadlineSeconds == null) {
            return course;
        }
        Duration deadline = Duration.ofSeconds(Math.max(0, deadlineSeconds));
        return course.after().compareTo(deadline) <= 0
                ? course
                : new Course(
                        deadline,
                        new StepOutcome(NodePhase.FAILED, PAST_DEADLINE, null, null, Map.of()));
    }

    private void pause(Node node) {
        if (node.type() != NodeType.SUSPEND || node.fulfilled() || node.awaitsLocks()) {
            return;
        }
        begun.add(node.id());
        steps.pause(node)
                .ifPresent(
                        course -> {
                            StepOutcome outcome = course.outcome();
                            boolean goesOn = outcome.phase() == NodePhase.SUCCEEDED;
                            String selector = "id=" + node.id();
                            if (!goesOn || !outcome.parameters().isEmpty()) {
                                command(
                                        course.after(),
                                        new WorkflowCommand.SetNode(
                                                "set-" + node.id(),
                                                namespace,
                                                name,
                                                selector,
                                                outcome.parameters(),
                                                outcome.message(),
                                                goesOn ? null : outcome.phase()));
                            }
                            if (goesOn) {
                                command(
                                        course.after(),
                                        new WorkflowCommand.Resume(
                                                "resume-" + node.id(),
                                                namespace,
                                                name,
                                                selector,
                                                null));
                            }
                        });
    }

    private void locks(LockRequest request) {
        locks.answers(request).forEach(answer -> command(Duration.ZERO, answer));
    }

    private void command(Duration after, WorkflowCommand command) {
        later(after, new WorkflowInput.Command(command));
    }

    private WorkflowHead head() {
        return Objects.requireNonNull(state.head(), "submitted");
    }

    private Node node(String id) {
        return Objects.requireNonNull(state.node(id), id);
    }
}
