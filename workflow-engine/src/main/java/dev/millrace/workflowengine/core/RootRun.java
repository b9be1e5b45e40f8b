package dev.millrace.workflowengine.core;

import dev.millrace.expressions.tag.Mode;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.LockClaim;
import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.NodeFlag;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.ShutdownStrategy;
import dev.millrace.schemas.record.Work;
import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.schemas.record.WorkflowHead;
import dev.millrace.schemas.record.WorkflowPhase;
import dev.millrace.schemas.record.WorkflowStage;
import dev.millrace.schemas.workflow.Arguments;
import dev.millrace.schemas.workflow.LifecycleHook;
import dev.millrace.schemas.workflow.WorkflowMetadata;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The workflow as a whole: its start, its exit handler, its end. */
final class RootRun {
    static final String DEADLINE_TIMER = "deadline";

    private RootRun() {}

    /** Makes an accepted workflow a running one, or lets it ask for its locks first. */
    static void begin(Transition t) {
        WorkflowEvent.Started started = started(t);
        if (started == null || (!LockRun.workflowHolds(t) && !mayGoOn(t, started.spec()))) {
            return;
        }
        t.emit(started);
        setDeadline(t);
        Emissions.workflowBegun(t);
        if (t.workflow().spec().path("suspend").asBoolean(false)) {
            t.emit(new WorkflowEvent.SuspensionChanged(true));
        }
        t.enqueue(new Work.Begin());
    }

    /**
     * A workflow that a retry takes up asks for its locks again; what is left to do waits for them.
     *
     * @param changed whether its arguments are others now
     * @return false if it cannot go on; the workflow has failed then
     */
    static boolean beginAgain(Transition t, boolean changed) {
        if (changed) {
            WorkflowEvent.Started started = started(t);
            if (started == null) {
                return false;
            }
            t.emit(started);
        }
        mayGoOn(t, t.source().spec());
        if (!WorkflowMachine.alive(t)) {
            return false;
        }
        setDeadline(t);
        Emissions.workflowBegun(t);
        return true;
    }

    /** Asks for the locks of the workflow; false if there are any, or if they cannot be asked. */
    private static boolean mayGoOn(Transition t, JsonNode spec) {
        try {
            return !LockRun.requestForWorkflow(t, spec);
        } catch (CallException e) {
            finish(t, WorkflowPhase.FAILED, "invalid spec: " + e.getMessage());
            return false;
        }
    }

    /**
     * The start of the workflow, with the spec that runs made of the one that was submitted.
     *
     * @return null if it cannot be made; the workflow has failed then
     */
    private static WorkflowEvent.@Nullable Started started(Transition t) {
        try {
            t.workflow();
        } catch (CallException e) {
            finished(t, WorkflowPhase.FAILED, "failed to set global parameters: " + e.getMessage());
            return null;
        }
        Map<String, String> labels = new LinkedHashMap<>(t.head().labels());
        Map<String, String> annotations = new LinkedHashMap<>(t.head().annotations());
        try {
            metadata(t, t.workflow().spec(), labels, annotations);
            JsonNode spec = withDefaults(withGlobals(t, t.workflow().spec(), labels));
            return new WorkflowEvent.Started(t.now(), labels, annotations, spec);
        } catch (CallException e) {
            finish(t, WorkflowPhase.FAILED, "invalid spec: " + e.getMessage());
            return null;
        }
    }

    static void setDeadline(Transition t) {
        Instant deadline = deadline(t);
        if (deadline != null) {
            t.emit(new WorkflowEvent.TimerSet(DEADLINE_TIMER, deadline));
        }
    }

    /** The arguments of the workflow have changed: so have the inputs of its root. */
    static void refreshInputs(Transition t) {
        Node root = t.state().node(t.name());
        if (root == null) {
            return;
        }
        try {
            t.emit(
                    new WorkflowEvent.NodeAdded(
                            root.withInputs(Calls.prepare(t, entryCall(t)).inputs())));
        } catch (CallException e) {
            // The entry template cannot be called with them, which its call will say.
        }
    }

    /**
     * Global values are put into the spec once, at the start; templates are filled when they are
     * called, metrics when they are reported.
     */
    private static JsonNode withGlobals(Transition t, JsonNode spec, Map<String, String> labels) {
        ObjectNode rest = ((ObjectNode) spec).objectNode();
        rest.setAll((ObjectNode) spec);
        JsonNode templates = rest.remove("templates");
        JsonNode metrics = rest.remove("metrics");
        ObjectNode replaced =
                (ObjectNode)
                        Calls.replace(
                                rest,
                                Variables.of(
                                        t.workflow().variables(), WorkflowVariables.labels(labels)),
                                Mode.LENIENT);
        if (templates != null) {
            replaced.set("templates", templates);
        }
        if (metrics != null) {
            replaced.set("metrics", metrics);
        }
        return replaced;
    }

    /**
     * {@code templateDefaults} go under each template; of the template types only the one that the
     * template has.
     */
    private static JsonNode withDefaults(JsonNode spec) {
        JsonNode defaults = spec.path("templateDefaults");
        if (!defaults.isObject()) {
            return spec;
        }
        ObjectNode copy = (ObjectNode) spec.deepCopy();
        for (JsonNode template : copy.path("templates")) {
            merge((ObjectNode) template, defaults, true);
        }
        return copy;
    }

    private static final List<String> TYPES =
            List.of(
                    "container",
                    "script",
                    "containerSet",
                    "resource",
                    "suspend",
                    "steps",
                    "dag",
                    "http",
                    "plugin",
                    "data");

    private static void merge(ObjectNode into, JsonNode defaults, boolean top) {
        defaults.properties()
                .forEach(
                        d -> {
                            JsonNode own = into.get(d.getKey());
                            if (own == null) {
                                if (!top || !TYPES.contains(d.getKey())) {
                                    into.set(d.getKey(), d.getValue().deepCopy());
                                }
                            } else if (own instanceof ObjectNode object
                                    && d.getValue().isObject()) {
                                merge(object, d.getValue(), false);
                            }
                        });
    }

    private static void metadata(
            Transition t,
            JsonNode spec,
            Map<String, String> labels,
            Map<String, String> annotations) {
        if (!spec.path("workflowMetadata").isObject()) {
            return;
        }
        WorkflowMetadata metadata =
                Json.convert(
                        Calls.replace(
                                spec.path("workflowMetadata"),
                                Variables.of(t.workflow().variables()),
                                Mode.LENIENT),
                        WorkflowMetadata.class);
        labels.putAll(metadata.labels());
        annotations.putAll(metadata.annotations());
        metadata.labelsFrom()
                .forEach(
                        (name, from) -> {
                            Object value =
                                    Results.evaluate(
                                            from.expression(),
                                            Variables.of(t.workflow().variables()));
                            if (!(value instanceof String text)) {
                                throw new CallException(
                                        "workflowMetadata.labelsFrom."
                                                + name
                                                + ": the expression did not give a text");
                            }
                            labels.put(name, text);
                        });
    }

    /**
     * The instant at which the workflow's time is over, or null. It counts from the second in which
     * it started.
     */
    static @Nullable Instant deadline(Transition t) {
        long seconds = t.workflow().activeDeadlineSeconds();
        Instant startedAt = t.head().startedAt();
        return seconds <= 0 || startedAt == null
                ? null
                : startedAt.truncatedTo(ChronoUnit.SECONDS).plusSeconds(seconds);
    }

    /** Calls the entry template. */
    static void entry(Transition t) {
        Call call = entryCall(t);
        if (!Slots.free(t, null, new Work.Begin())) {
            return;
        }
        try {
            Calls.start(t, call);
        } catch (CallException e) {
            finish(t, WorkflowPhase.ERROR, "error in entry template execution: " + e.getMessage());
        }
    }

    private static Call entryCall(Transition t) {
        return new Call(
                t.name(),
                null,
                null,
                null,
                new TemplateUse.Named(t.workflow().entrypoint()),
                t.workflow().localScope(),
                t.workflow().arguments(),
                null,
                List.of(),
                0,
                false);
    }

    /** A root node and its hooks are done. */
    static void settled(Transition t, Node node) {
        if (node.id().equals(t.name())) {
            mainSettled(t, node);
        } else {
            exitSettled(t, node);
        }
    }

    private static void mainSettled(Transition t, Node root) {
        WorkflowHead head = t.head();
        if (head.stage() != WorkflowStage.MAIN) {
            return;
        }
        if (head.status() == null || !head.status().finished()) {
            t.emit(
                    new WorkflowEvent.StageChanged(
                            WorkflowStage.MAIN, phase(root.phase()), message(t, root)));
            // Hooks of the workflow may ask for its status.
            HookRun.look(t, root);
            if (t.node(root.id()).frame().openHooks() > 0) {
                return;
            }
        }
        LifecycleHook exit = t.workflow().hooks().get(HookRun.EXIT);
        if (exit == null || t.head().shutdown() == ShutdownStrategy.TERMINATE) {
            complete(t);
        } else {
            exit(t, exit);
        }
    }

    private static void exit(Transition t, LifecycleHook exit) {
        t.emit(
                new WorkflowEvent.StageChanged(
                        WorkflowStage.EXIT_HANDLER, status(t), t.head().message()));
        Arguments arguments =
                exit.arguments() == null ? t.workflow().arguments() : exit.arguments();
        Call call =
                new Call(
                        t.name() + ".onExit",
                        null,
                        null,
                        HookRun.EXIT,
                        exit.templateRef() != null
                                ? new TemplateUse.Ref(exit.templateRef())
                                : new TemplateUse.Named(
                                        exit.template() == null ? "" : exit.template()),
                        t.workflow().localScope(),
                        arguments,
                        NodeFlag.HOOKED,
                        List.of(),
                        0,
                        true);
        try {
            if (wanted(t, exit)) {
                Calls.start(t, call.with(resolved(t, arguments)));
            } else {
                complete(t);
            }
        } catch (CallException e) {
            Calls.neverRan(
                    t,
                    call,
                    NodePhase.ERROR,
                    "error in exit template execution : " + e.getMessage());
        }
    }

    private static Arguments resolved(Transition t, Arguments arguments) {
        ObjectNode call = Json.object();
        call.set("arguments", Json.tree(arguments));
        return Members.arguments(
                Members.resolve(call, Variables.of(t.workflow().variables()), Mode.LENIENT));
    }

    private static boolean wanted(Transition t, LifecycleHook exit) {
        if (exit.expression() == null || exit.expression().isEmpty()) {
            return true;
        }
        return Boolean.TRUE.equals(
                Results.evaluate(exit.expression(), Variables.of(t.workflow().variables())));
    }

    private static @Nullable String message(Transition t, Node root) {
        ShutdownStrategy shutdown = t.head().shutdown();
        return shutdown != null && root.phase().failedOrError()
                ? "Stopped with strategy '" + shutdown.text() + "'"
                : root.message();
    }

    private static WorkflowPhase phase(NodePhase phase) {
        return switch (phase) {
            case SUCCEEDED, SKIPPED, OMITTED -> WorkflowPhase.SUCCEEDED;
            case FAILED -> WorkflowPhase.FAILED;
            case ERROR -> WorkflowPhase.ERROR;
            case PENDING, RUNNING -> throw new IllegalStateException("the root is not fulfilled");
        };
    }

    private static WorkflowPhase status(Transition t) {
        WorkflowPhase status = t.head().status();
        return status == null ? WorkflowPhase.RUNNING : status;
    }

    private static void exitSettled(Transition t, Node exit) {
        if (status(t) == WorkflowPhase.SUCCEEDED && exit.phase().failedOrError()) {
            t.emit(
                    new WorkflowEvent.StageChanged(
                            WorkflowStage.EXIT_HANDLER, phase(exit.phase()), exit.message()));
        }
        complete(t);
    }

    private static void complete(Transition t) {
        // It may have been shut down since the root failed.
        Node root = t.find(t.name());
        String message =
                root != null && root.phase().failedOrError()
                        ? message(t, root)
                        : t.head().message();
        t.emit(new WorkflowEvent.StageChanged(WorkflowStage.COMPLETING, status(t), message));
        if (ArtifactGc.concerns(t)) {
            t.enqueue(new Work.DiscardArtifacts(""));
        }
        finishIfQuiet(t);
    }

    /**
     * The workflow is finished when no step runs any more that belongs to it, and when what is not
     * kept is given up.
     */
    static void finishIfQuiet(Transition t) {
        WorkflowHead head = t.head();
        if (head.stage() == WorkflowStage.COMPLETING && head.activeSteps() == 0 && !t.discards()) {
            finish(t, status(t), head.message());
        }
    }

    /** The workflow ends before it began, if it still waits for its locks. */
    static void finishIfNotBegun(Transition t, String message) {
        LockClaim lock = t.head().lock();
        if (lock != null && lock.notBegun()) {
            finish(t, WorkflowPhase.FAILED, message);
        }
    }

    private static void finish(Transition t, WorkflowPhase phase, @Nullable String message) {
        LockRun.releaseOfWorkflow(t);
        WorkflowRetry.giveUp(t);
        if (deadline(t) != null) {
            t.emit(new WorkflowEvent.TimerCancelled(DEADLINE_TIMER));
        }
        if (Claims.endWith(t.workflow().spec(), phase)) {
            releaseClaims(t);
        }
        finished(t, phase, message);
    }

    private static void finished(Transition t, WorkflowPhase phase, @Nullable String message) {
        t.emit(new WorkflowEvent.Finished(phase, message, t.now()));
        Emissions.workflowEnded(t);
        Expiry.timer(t.source(), phase, t.now()).ifPresent(t::emit);
    }

    /** The storage that the steps of the workflow had in common is not needed any more. */
    static void releaseClaims(Transition t) {
        List<String> claims =
                Claims.templates(t.workflow().spec()).stream()
                        .map(template -> Claims.name(t.name(), template))
                        .toList();
        if (!claims.isEmpty()) {
            t.emit(new WorkflowEvent.ClaimsReleased(claims));
        }
    }
}
