package dev.millrace.workflowengine.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.manifest.ManifestReader;
import dev.millrace.schemas.record.Carried;
import dev.millrace.schemas.record.CommandAnswer;
import dev.millrace.schemas.record.LockClaim;
import dev.millrace.schemas.record.LockHolder;
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
import dev.millrace.schemas.record.WorkflowSource;
import dev.millrace.schemas.workflow.Artifact;
import dev.millrace.schemas.workflow.Outputs;
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
import java.util.function.Predicate;
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
    private final Map<String, Instant> begun = new TreeMap<>();
    private final List<String> stopped = new ArrayList<>();
    private final List<String> requests = new ArrayList<>();

    /** Who has locks or asked for them, with their names. */
    private final Map<LockHolder, List<String>> claims = new LinkedHashMap<>();

    private final List<LockHolder> released = new ArrayList<>();
    private final List<Decided> history = new ArrayList<>();
    private final Map<String, List<Artifact>> discarded = new TreeMap<>();
    private Instant now = Instant.parse("2026-01-01T00:00:00.250Z");
    private @Nullable JsonNode repository = REPOSITORY;
    private int commands;

    private Scenario(int budget) {
        this(new WorkflowMachine(budget));
    }

    private Scenario(WorkflowMachine machine) {
        this.machine = machine;
    }

    /** The repository of all scenarios. */
    static final JsonNode REPOSITORY =
            Json.mapper()
                    .readTree("{\"local\":{\"keyFormat\":\"{{workflow.name}}/{{pod.name}}\"}}");

    /** A workflow whose spec is this YAML. */
    static Scenario given(String spec) {
        return given(spec, WorkflowMachine.DEFAULT_BUDGET);
    }

    /** One where only so many workflows run. */
    static Scenario limited(String spec) {
        Scenario scenario = new Scenario(new WorkflowMachine(WorkflowMachine.DEFAULT_BUDGET, true));
        scenario.submit("submit", manifest(spec));
        return scenario;
    }

    /** One whose submission brought data of ConfigMaps, and steps of an earlier workflow. */
    static Scenario given(
            String spec,
            Map<String, Map<String, String>> configMaps,
            Map<String, Carried> carried) {
        JsonNode manifest = manifest(spec);
        Scenario scenario = new Scenario(WorkflowMachine.DEFAULT_BUDGET);
        return scenario.feed(
                new WorkflowInput.Command(
                        new WorkflowCommand.Submit(
                                "submit",
                                "default",
                                NAME,
                                "uid-submit",
                                new WorkflowSource(
                                        manifest,
                                        manifest.path("spec"),
                                        Map.of(),
                                        REPOSITORY,
                                        null,
                                        configMaps,
                                        carried,
                                        null,
                                        List.of()),
                                false,
                                null,
                                null)));
    }

    static Scenario given(String spec, int budget) {
        Scenario scenario = new Scenario(budget);
        scenario.submit("submit", manifest(spec));
        return scenario;
    }

    private static JsonNode manifest(String spec) {
        String yaml =
                "apiVersion: argoproj.io/v1alpha1\nkind: Workflow\nmetadata:\n  name: wf\nspec:\n"
                        + spec.indent(2);
        return ManifestReader.read("scenario", yaml).documents().getFirst().manifest().tree();
    }

    /** A workflow with another repository than all others, or with none. */
    static Scenario given(String spec, @Nullable JsonNode repository) {
        Scenario scenario = new Scenario(WorkflowMachine.DEFAULT_BUDGET);
        scenario.repository = repository;
        scenario.submit("submit", manifest(spec));
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
                                repository)));
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
        begun.put(spec.stepId(), now);
        return feed(
                new WorkflowInput.Report(
                        new StepReport.Started(
                                spec.stepId(), spec.nodeId(), spec.workflow(), now, "host")));
    }

    Scenario progresses(String node, String progress) {
        return progresses(node, progress, null);
    }

    Scenario progresses(String node, @Nullable String progress, @Nullable String message) {
        StepSpec spec = spec(node);
        return feed(
                new WorkflowInput.Report(
                        new StepReport.Progress(
                                spec.stepId(),
                                spec.nodeId(),
                                spec.workflow(),
                                now,
                                progress,
                                message)));
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
                                        NodePhase.FAILED,
                                        "stopped",
                                        143,
                                        null,
                                        Map.of(),
                                        stored(spec, _ -> true)))));
    }

    private static List<Artifact> stored(StepSpec spec, Predicate<String> stored) {
        Outputs declared = spec.template().outputs();
        return declared == null
                ? List.of()
                : declared.artifacts().stream().filter(a -> stored.test(a.name())).toList();
    }

    /** The step ends well and has stored only these of its artifacts. */
    Scenario stores(String node, String... artifacts) {
        return ends(
                node,
                new StepOutcome(NodePhase.SUCCEEDED, null, 0, null, Map.of()),
                List.of(artifacts)::contains);
    }

    Scenario ends(String node, StepOutcome outcome) {
        return ends(node, outcome, _ -> true);
    }

    private Scenario ends(String node, StepOutcome outcome, Predicate<String> stored) {
        StepSpec spec = spec(node);
        running.remove(node);
        return feed(
                new WorkflowInput.Report(
                        new StepReport.Finished(
                                spec.stepId(),
                                spec.nodeId(),
                                spec.workflow(),
                                now,
                                begun.getOrDefault(spec.stepId(), now),
                                new StepOutcome(
                                        outcome.phase(),
                                        outcome.message(),
                                        outcome.exitCode(),
                                        outcome.result(),
                                        outcome.parameters(),
                                        stored(spec, stored),
                                        outcome.containers()))));
    }

    /** An executor deleted what it was told to, or says why it could not. */
    Scenario discards(String node, @Nullable String error) {
        Node of = node(node);
        List<String> names =
                discarded.getOrDefault(of.id(), List.of()).stream().map(Artifact::name).toList();
        return feed(
                new WorkflowInput.Report(
                        new StepReport.Discarded(
                                Objects.requireNonNull(of.stepId()),
                                of.id(),
                                head().ref(),
                                now,
                                error == null ? names : List.of(),
                                error)));
    }

    /** The artifacts that were given up so far, by node id, once for each request. */
    Map<String, List<Artifact>> discarded() {
        return discarded;
    }

    /** A step of which nobody wants to know any more succeeds. */
    Scenario late(StepSpec spec) {
        return feed(
                new WorkflowInput.Report(
                        new StepReport.Finished(
                                spec.stepId(),
                                spec.nodeId(),
                                spec.workflow(),
                                now,
                                now,
                                new StepOutcome(NodePhase.SUCCEEDED, null, 0, null, Map.of()))));
    }

    /** The cache of a node answers. */
    Scenario cached(
            String node,
            @Nullable Instant createdAt,
            @Nullable Outputs outputs,
            @Nullable String error) {
        return command(
                new WorkflowCommand.AnswerCache(
                        "cache",
                        "default",
                        NAME,
                        head().uid(),
                        NodeNames.id(NAME, node),
                        head().run(),
                        createdAt,
                        outputs,
                        error));
    }

    Scenario set(Map<String, String> outputs, @Nullable NodePhase phase) {
        return command(
                new WorkflowCommand.SetNode(id(), "default", NAME, null, outputs, null, phase));
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

    /** The node, or the workflow if there is none, gets its locks. */
    Scenario granted(@Nullable String node) {
        return command(new WorkflowCommand.LockGranted(holder(node)));
    }

    Scenario granted(LockHolder holder) {
        return command(new WorkflowCommand.LockGranted(holder));
    }

    Scenario waits(@Nullable String node, String lock, String message) {
        return command(new WorkflowCommand.LockWaiting(holder(node), lock, message));
    }

    Scenario refused(@Nullable String node, String message) {
        return command(new WorkflowCommand.LockRefused(holder(node), message));
    }

    LockHolder holder(@Nullable String node) {
        return head().holder(node == null ? null : NodeNames.id(NAME, node));
    }

    /** Names of the locks that a node, or the workflow, asked for and did not give back. */
    List<String> claimed(@Nullable String node) {
        return claims.getOrDefault(holder(node), List.of());
    }

    /** Who asked for locks and did not give them back. */
    List<LockHolder> claimants() {
        return List.copyOf(claims.keySet());
    }

    /** Who asked for locks and has none yet. */
    List<LockHolder> asking() {
        return claims.keySet().stream()
                .filter(h -> claim(h).stage() == LockClaim.Stage.ASKED)
                .toList();
    }

    private LockClaim claim(LockHolder holder) {
        LockClaim claim =
                holder.nodeId() == null
                        ? head().lock()
                        : Objects.requireNonNull(state.node(holder.nodeId())).lock();
        return Objects.requireNonNull(claim);
    }

    List<LockHolder> released() {
        return released;
    }

    Scenario suspend() {
        return command(new WorkflowCommand.Suspend(id(), "default", NAME));
    }

    Scenario resume(@Nullable String selector) {
        return command(new WorkflowCommand.Resume(id(), "default", NAME, selector, "ann"));
    }

    Scenario retry() {
        return retry(false, null, Map.of());
    }

    Scenario retry(
            boolean restartSuccessful, @Nullable String selector, Map<String, String> parameters) {
        return command(
                new WorkflowCommand.Retry(
                        id(), "default", NAME, restartSuccessful, selector, parameters));
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
        while (state.head() != null && !state.head().work().isEmpty() && state.head().mayWork()) {
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
                case WorkflowEvent.StepRequested(var spec) -> {
                    running.put(spec.nodeName(), spec);
                    requests.add(spec.nodeName());
                }
                case WorkflowEvent.StepStopRequested(var stepId, _, _) -> {
                    stopped.add(stepId);
                    running.values().stream()
                            .filter(s -> s.stepId().equals(stepId))
                            .forEach(s -> stopping.put(s.nodeName(), s));
                    running.values().removeIf(s -> s.stepId().equals(stepId));
                }
                case WorkflowEvent.ArtifactsDiscardRequested(_, var node, var artifacts) ->
                        discarded.computeIfAbsent(node, _ -> new ArrayList<>()).addAll(artifacts);
                case WorkflowEvent.LocksRequested(var nodeId, var locks, _) ->
                        claims.put(head().holder(nodeId), locks);
                case WorkflowEvent.LocksReleased(var holder) -> {
                    claims.remove(holder);
                    released.add(holder);
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

    /** Names of the nodes whose steps were requested, in order, of all runs. */
    List<String> requests() {
        return requests;
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

    /** It is finished, whatever it says about it. */
    Scenario endsAs(WorkflowPhase phase) {
        return isFinished(phase, head().message());
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
