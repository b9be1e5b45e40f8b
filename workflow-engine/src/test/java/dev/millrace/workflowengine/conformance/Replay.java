package dev.millrace.workflowengine.conformance;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.ContainerEnd;
import dev.millrace.schemas.record.LockHolder;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.StepOutcome;
import dev.millrace.schemas.record.StepReport;
import dev.millrace.schemas.record.StepSpec;
import dev.millrace.schemas.record.WorkflowCommand;
import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.schemas.record.WorkflowHead;
import dev.millrace.schemas.record.WorkflowSource;
import dev.millrace.schemas.record.WorkflowStage;
import dev.millrace.schemas.workflow.Artifact;
import dev.millrace.schemas.workflow.ContainerSet;
import dev.millrace.schemas.workflow.Outputs;
import dev.millrace.workflowengine.core.WorkflowInput;
import dev.millrace.workflowengine.core.WorkflowMachine;
import dev.millrace.workflowengine.state.Evolution;
import dev.millrace.workflowengine.state.InMemoryWorkflow;
import dev.millrace.workflowengine.submission.ConfigMapReferences;
import dev.millrace.workflowengine.submission.References;
import dev.millrace.workflowengine.submission.ResolvedWorkflow;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * Runs a workflow whose leaves do not run: what was recorded of them is fed to the core. The clock
 * stands still while something can be fed, and else goes on to the next timer.
 */
final class Replay {
    static final String NAME = "replayed-abcde";
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    /** Where all steps of the recordings ran. */
    private static final String HOST = "vm";

    private static final Pattern ADDRESS = Pattern.compile("\\b10(\\.\\d{1,3}){3}\\b");
    private static final JsonNode REPOSITORY =
            Json.mapper().readTree("{\"s3\":{\"endpoint\":\"minio\",\"bucket\":\"b\"}}");
    private static final int MOST_INPUTS = 20_000;

    private final WorkflowMachine machine;
    private final JsonNode recorded;
    private final InMemoryWorkflow state = new InMemoryWorkflow();
    private final Deque<StepSpec> requested = new ArrayDeque<>();
    private final Map<String, StepSpec> daemons = new HashMap<>();
    private int ready;
    private final Deque<StepSpec> stopped = new ArrayDeque<>();
    private final Deque<LockHolder> asked = new ArrayDeque<>();
    private final Map<String, Instant> timers = new HashMap<>();
    private final Deque<WorkflowEvent.CacheAsked> questions = new ArrayDeque<>();
    private final Map<String, WorkflowEvent.CacheSaved> cache = new HashMap<>();
    private Instant now = START;
    private int inputs;

    Replay(JsonNode recorded, int budget) {
        this.recorded = recorded;
        this.machine = new WorkflowMachine(budget);
    }

    /** The workflow when it is finished or nothing more can happen to it. */
    InMemoryWorkflow run(JsonNode manifest, Manifests templates) {
        ResolvedWorkflow resolved = References.resolve(manifest.path("spec"), "argo", templates);
        feed(
                new WorkflowInput.Command(
                        new WorkflowCommand.Submit(
                                "submit",
                                "argo",
                                NAME,
                                "uid-1",
                                new WorkflowSource(
                                        manifest,
                                        resolved.spec(),
                                        resolved.storedTemplates(),
                                        REPOSITORY,
                                        null,
                                        ConfigMapReferences.data(resolved, "argo", templates),
                                        Map.of(),
                                        null,
                                        List.of()),
                                resolved.fromTemplate(),
                                null,
                                null)));
        while (inputs < MOST_INPUTS
                && !finished()
                && (continueWork()
                        || endDaemon()
                        || grant()
                        || answerCache()
                        || feedStep()
                        || resume()
                        || fireTimer())) {
            // Each condition does one thing.
        }
        return state;
    }

    private boolean finished() {
        WorkflowHead head = state.head();
        return head == null || head.stage() == WorkflowStage.DONE;
    }

    private boolean continueWork() {
        WorkflowHead head = state.head();
        if (head == null || head.work().isEmpty() || head.suspended()) {
            return false;
        }
        feed(new WorkflowInput.Continue());
        return true;
    }

    private boolean answerCache() {
        WorkflowEvent.CacheAsked question = questions.poll();
        if (question == null) {
            return false;
        }
        WorkflowEvent.CacheSaved entry =
                cache.get(question.cacheName() + "/" + question.cacheKey());
        feed(
                new WorkflowInput.Command(
                        new WorkflowCommand.AnswerCache(
                                "cache",
                                "argo",
                                NAME,
                                "uid-1",
                                question.nodeId(),
                                0,
                                entry == null ? null : entry.at(),
                                entry == null ? null : entry.outputs(),
                                null)));
        return true;
    }

    /** Nobody else wants its locks, but for its own nodes; those get them in any order here. */
    private boolean grant() {
        LockHolder holder = asked.poll();
        if (holder == null) {
            return false;
        }
        feed(new WorkflowInput.Command(new WorkflowCommand.LockGranted(holder)));
        return true;
    }

    private boolean feedStep() {
        for (int i = requested.size(); i > 0; i--) {
            StepSpec spec = requested.poll();
            JsonNode node = recorded.path("nodes").path(recordedName(spec.nodeName()));
            String message = Text.restore(node.path("message").asString(""));
            if (message.equals("Step exceeded its deadline") || message.equals("timeout")) {
                continue; // Its end comes from a timer of the workflow.
            }
            Instant at = now;
            feed(
                    new WorkflowInput.Report(
                            new StepReport.Started(
                                    spec.stepId(), spec.nodeId(), spec.workflow(), at, HOST)));
            now = now.plusSeconds(1);
            if (Boolean.TRUE.equals(spec.template().daemon())) {
                daemons.put(spec.stepId(), spec);
                feed(
                        new WorkflowInput.Report(
                                new StepReport.Ready(
                                        spec.stepId(),
                                        spec.nodeId(),
                                        spec.workflow(),
                                        now,
                                        address())));
                return true;
            }
            feed(
                    new WorkflowInput.Report(
                            new StepReport.Finished(
                                    spec.stepId(),
                                    spec.nodeId(),
                                    spec.workflow(),
                                    now,
                                    at,
                                    outcome(spec, node, message))));
            return true;
        }
        return false;
    }

    /** A daemon that is told to stop does so. */
    private boolean endDaemon() {
        StepSpec spec = stopped.poll();
        if (spec == null) {
            return false;
        }
        now = now.plusSeconds(1);
        feed(
                new WorkflowInput.Report(
                        new StepReport.Finished(
                                spec.stepId(),
                                spec.nodeId(),
                                spec.workflow(),
                                now,
                                START,
                                new StepOutcome(
                                        NodePhase.FAILED, "stopped", 143, null, Map.of()))));
        return true;
    }

    /** The address of the next daemon's pod, as it stands in what others were given. */
    private String address() {
        List<String> recordedOnes =
                ADDRESS.matcher(recorded.toString())
                        .results()
                        .map(MatchResult::group)
                        .distinct()
                        .toList();
        return recordedOnes.isEmpty()
                ? "192.0.2.1"
                : recordedOnes.get(Math.min(ready++, recordedOnes.size() - 1));
    }

    private StepOutcome outcome(StepSpec spec, JsonNode node, String message) {
        Map<String, String> parameters = new HashMap<>();
        for (JsonNode p : node.path("outputs").path("parameters")) {
            if (p.has("value")) {
                parameters.put(
                        p.path("name").asString(""), Text.restore(p.path("value").asString("")));
            }
        }
        JsonNode exitCode = node.path("outputs").path("exitCode");
        JsonNode result = node.path("outputs").path("result");
        return new StepOutcome(
                node.isMissingNode()
                        ? NodePhase.ERROR
                        : Json.convert(node.path("phase"), NodePhase.class),
                message.isEmpty() ? null : message,
                exitCode.isMissingNode() ? null : Integer.valueOf(exitCode.asString("")),
                result.isMissingNode() ? null : Text.restore(result.asString("")),
                parameters,
                artifacts(spec, node.path("outputs").path("artifacts")),
                containers(spec));
    }

    private List<ContainerEnd> containers(StepSpec spec) {
        ContainerSet set = spec.template().containerSet();
        return set == null
                ? List.of()
                : set.containers().stream()
                        .map(
                                c -> {
                                    JsonNode node =
                                            recorded.path("nodes")
                                                    .path(
                                                            recordedName(spec.nodeName())
                                                                    + "."
                                                                    + c.name());
                                    String message = node.path("message").asString("");
                                    return new ContainerEnd(
                                            String.valueOf(c.name()),
                                            Json.convert(node.path("phase"), NodePhase.class),
                                            message.isEmpty() ? null : message,
                                            null);
                                })
                        .toList();
    }

    /** What was stored, at the places that the step was told. */
    private static List<Artifact> artifacts(StepSpec spec, JsonNode recorded) {
        Outputs outputs = spec.template().outputs();
        if (outputs == null) {
            return List.of();
        }
        return outputs.artifacts().stream()
                .filter(
                        a ->
                                recorded.valueStream()
                                        .anyMatch(
                                                r -> r.path("name").asString("").equals(a.name())))
                .toList();
    }

    private boolean resume() {
        for (String id : state.openNodes()) {
            var node = state.node(id);
            JsonNode then = recorded.path("nodes").path(recordedName(node.name()));
            boolean byHand =
                    then.path("message").asString("").startsWith("Resumed by")
                            || !then.path("outputs").path("parameters").isMissingNode();
            if (node.type().text().equals("Suspend") && byHand) {
                Map<String, String> supplied = new HashMap<>();
                then.path("outputs")
                        .path("parameters")
                        .forEach(
                                p ->
                                        supplied.put(
                                                p.path("name").asString(""),
                                                p.path("value").asString("")));
                String selector = "id=" + id;
                if (!supplied.isEmpty()) {
                    feed(
                            new WorkflowInput.Command(
                                    new WorkflowCommand.SetNode(
                                            "set-" + inputs,
                                            "argo",
                                            NAME,
                                            selector,
                                            supplied,
                                            null,
                                            null)));
                }
                String actor = then.path("message").isMissingNode() ? null : "admin";
                feed(
                        new WorkflowInput.Command(
                                new WorkflowCommand.Resume(
                                        "resume-" + inputs, "argo", NAME, selector, actor)));
                return true;
            }
        }
        return false;
    }

    private boolean fireTimer() {
        Optional<Map.Entry<String, Instant>> next =
                timers.entrySet().stream()
                        .min(
                                Map.Entry.<String, Instant>comparingByValue()
                                        .thenComparing(Map.Entry.comparingByKey()));
        if (next.isEmpty()) {
            return false;
        }
        timers.remove(next.get().getKey());
        now = next.get().getValue().isAfter(now) ? next.get().getValue() : now;
        feed(new WorkflowInput.TimerFired(next.get().getKey()));
        return true;
    }

    private static String recordedName(String name) {
        return name.replaceFirst("^" + NAME, "\\$WF");
    }

    private void feed(WorkflowInput input) {
        inputs++;
        List<WorkflowEvent> events = machine.decide(state, "argo", NAME, input, now);
        for (WorkflowEvent event : events) {
            Evolution.apply(state, "argo", NAME, event);
            switch (event) {
                case WorkflowEvent.StepRequested(var spec) -> requested.add(spec);
                case WorkflowEvent.StepStopRequested(var id, _, _) -> {
                    requested.removeIf(s -> s.stepId().equals(id));
                    if (daemons.containsKey(id)) {
                        stopped.add(daemons.remove(id));
                    }
                }
                case WorkflowEvent.CacheAsked question -> questions.add(question);
                case WorkflowEvent.CacheSaved saved ->
                        cache.put(saved.cacheName() + "/" + saved.cacheKey(), saved);
                case WorkflowEvent.LocksRequested(var id, _, _) ->
                        asked.add(state.head().holder(id));
                case WorkflowEvent.TimerSet(var id, var due) -> timers.put(id, due);
                case WorkflowEvent.TimerCancelled(var id) -> timers.remove(id);
                default -> {}
            }
        }
    }

    /** Texts of a recording name the workflow {@code $WF} and nodes {@code <name>}. */
    static final class Text {
        private Text() {}

        static String restore(String text) {
            StringBuilder restored = new StringBuilder();
            var matcher = java.util.regex.Pattern.compile("<(\\$WF[^<>]*)>").matcher(text);
            while (matcher.find()) {
                String name = matcher.group(1).replace("$WF", NAME);
                matcher.appendReplacement(
                        restored,
                        java.util.regex.Matcher.quoteReplacement(
                                dev.millrace.workflowengine.core.NodeNames.id(NAME, name)));
            }
            matcher.appendTail(restored);
            return restored.toString().replace("$WF", NAME);
        }
    }
}
