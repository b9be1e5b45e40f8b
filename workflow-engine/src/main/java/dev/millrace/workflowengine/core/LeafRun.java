package dev.millrace.workflowengine.core;

import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.NodeType;
import dev.millrace.schemas.record.StepOutcome;
import dev.millrace.schemas.record.StepReport;
import dev.millrace.schemas.record.StepSpec;
import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.schemas.workflow.ContainerSet;
import dev.millrace.schemas.workflow.Outputs;
import dev.millrace.schemas.workflow.Parameter;
import dev.millrace.schemas.workflow.Scalar;
import dev.millrace.schemas.workflow.SuspendTemplate;
import dev.millrace.schemas.workflow.Template;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Leaves: what runs somewhere else (a step of an executor), and pauses. */
final class LeafRun {
    static final String SUSPEND_TIMER = "suspend/";
    static final String PENDING_TIMER = "pending/";

    private LeafRun() {}

    static void begin(Transition t, Call call, Called called) {
        NodeType type = type(called.template());
        String never = never(t, call, type);
        if (never != null) {
            Node node = Calls.node(t, call, type, NodePhase.FAILED, never, called, null);
            t.add(node, call.parents());
            Endings.fulfilled(t, node);
            return;
        }
        if (type == NodeType.SUSPEND) {
            suspend(t, call, called);
        } else {
            request(t, call, called, type);
        }
    }

    /** Why nothing is to start any more, or null. */
    private static @Nullable String never(Transition t, Call call, NodeType type) {
        if (t.shut(call.exitHandler())) {
            return type == NodeType.SUSPEND
                    ? CommandRun.stopped(t)
                    : "workflow shutdown with strategy: "
                            + Objects.requireNonNull(t.head().shutdown()).text();
        }
        return t.late(call.exitHandler()) ? CommandRun.DEADLINE_MESSAGE : null;
    }

    static NodeType type(Template template) {
        if (template.suspend() != null) {
            return NodeType.SUSPEND;
        }
        if (template.http() != null) {
            return NodeType.HTTP;
        }
        return template.plugin() != null ? NodeType.PLUGIN : NodeType.POD;
    }

    private static void suspend(Transition t, Call call, Called called) {
        Duration pause = pause(called.template());
        Node node =
                Calls.node(t, call, NodeType.SUSPEND, NodePhase.RUNNING, null, called, null)
                        .withOutputs(expected(called.template().outputs()));
        t.add(node, call.parents());
        suspended(t, node, pause);
    }

    private static @Nullable Duration pause(Template template) {
        SuspendTemplate suspend = template.suspend();
        return suspend == null ? null : Members.duration(suspend.duration());
    }

    private static void suspended(Transition t, Node node, @Nullable Duration pause) {
        if (pause != null) {
            t.emit(new WorkflowEvent.TimerSet(SUSPEND_TIMER + node.id(), t.now().plus(pause)));
        }
        HookRun.lookIfConcerned(t, node);
    }

    /** The outputs that somebody has to supply, or null if there are none. */
    private static @Nullable Outputs expected(@Nullable Outputs declared) {
        return declared == null || declared.parameters().isEmpty()
                ? null
                : new Outputs(declared.parameters(), List.of(), null, null);
    }

    private static void request(Transition t, Call call, Called called, NodeType type) {
        Long deadline = deadlineSeconds(called.template());
        String nodeId = t.id(call.name());
        String stepId = stepId(t.head().uid(), nodeId, t.head().run());
        if (called.template().containerSet() != null) {
            // Before there is a node that could not be undone.
            ContainerSetRun.ordered(called.template().containerSet());
        }
        Node wanted = Calls.node(t, call, type, NodePhase.PENDING, null, called, stepId);
        Called placed = type == NodeType.POD ? Placement.of(t, wanted, called) : called;
        Node node = Calls.node(t, call, type, NodePhase.PENDING, null, placed, stepId);
        t.add(node, call.parents());
        Slots.taken(t, node);
        requestStep(t, node, stepId, placed, deadline);
        pendingTimer(t, node, called);
    }

    private static void requestStep(
            Transition t, Node node, String stepId, Called called, @Nullable Long deadline) {
        ContainerSet set = called.template().containerSet();
        if (set != null) {
            ContainerSetRun.begin(t, node, set);
        }
        t.emit(
                new WorkflowEvent.StepRequested(
                        new StepSpec(
                                stepId,
                                t.head().ref(),
                                node.id(),
                                node.name(),
                                NodeNames.podName(t.name(), node),
                                StepVolumes.with(t, node, called),
                                resultWanted(t, node)
                                        || node.type() != NodeType.POD
                                        || called.template().data() != null,
                                deadline,
                                node.exitHandler(),
                                StepPods.settings(t, node, called))));
    }

    /** The time that a step may be pending begins, also if it waits for locks. */
    static void pendingTimer(Transition t, Node node, Called called) {
        Duration pending = pendingTimeout(called.template());
        if (pending != null) {
            t.emit(new WorkflowEvent.TimerSet(PENDING_TIMER + node.id(), t.now().plus(pending)));
        }
    }

    /**
     * A leaf that waited for its locks begins.
     *
     * @throws CallException if the template cannot be run
     */
    static void beginLocked(Transition t, Node node, Called called) {
        if (node.type() == NodeType.SUSPEND) {
            Duration pause = pause(called.template());
            t.emit(new WorkflowEvent.NodeBegun(node.id(), NodePhase.RUNNING, null));
            Outputs expected = expected(called.template().outputs());
            if (expected != null) {
                t.emit(new WorkflowEvent.NodeOutputs(node.id(), expected));
            }
            suspended(t, t.node(node.id()), pause);
        } else {
            Long deadline = deadlineSeconds(called.template());
            String stepId = stepId(t.head().uid(), node.id(), t.head().run());
            Called placed = node.type() == NodeType.POD ? Placement.of(t, node, called) : called;
            if (called.template().containerSet() != null) {
                ContainerSetRun.ordered(called.template().containerSet());
            }
            t.emit(new WorkflowEvent.NodeBegun(node.id(), NodePhase.PENDING, stepId));
            requestStep(t, t.node(node.id()), stepId, placed, deadline);
        }
    }

    /** From the workflow's uid, the node id and the run: the same again for a repeat. */
    static String stepId(String uid, String nodeId, int run) {
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256")
                            .digest(
                                    (uid + "/" + nodeId + "/" + run)
                                            .getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, 12);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private static @Nullable Long deadlineSeconds(Template template) {
        // timeout replaces activeDeadlineSeconds, even if it is longer.
        Duration timeout =
                Members.duration(
                        template.timeout() == null ? null : new Scalar(template.timeout()));
        if (timeout != null) {
            return Math.max(1, timeout.toSeconds());
        }
        Scalar seconds = template.activeDeadlineSeconds();
        if (seconds == null) {
            return null;
        }
        try {
            return Long.parseLong(seconds.text().strip());
        } catch (NumberFormatException e) {
            throw new CallException(
                    "activeDeadlineSeconds is not a whole number: '" + seconds.text() + "'");
        }
    }

    private static @Nullable Duration pendingTimeout(Template template) {
        String text =
                template.pendingTimeout() != null ? template.pendingTimeout() : template.timeout();
        return Members.duration(text == null ? null : new Scalar(text));
    }

    /** The result is captured only if the text of the calling template refers to it. */
    private static boolean resultWanted(Transition t, Node node) {
        if (node.boundaryId() == null || node.call() == null) {
            return false;
        }
        Node boundary = t.node(node.boundaryId());
        Definition definition = Calls.definition(t, boundary);
        String prefix = boundary.type() == NodeType.DAG ? "tasks" : "steps";
        return definition != null && definition.results().contains(prefix + "." + node.call());
    }

    /** An executor said what became of a step. */
    static void report(Transition t, StepReport report) {
        Node node = t.state().node(report.nodeId());
        if (node == null || node.ended() || !report.stepId().equals(node.stepId())) {
            return; // A repeat, or the end of a step whose node was ended by a deadline or a stop.
        }
        switch (report) {
            case StepReport.Started(_, var id, _, _, var host) -> {
                if (node.phase() == NodePhase.PENDING) {
                    t.emit(new WorkflowEvent.NodeRunning(id, host));
                    ContainerSetRun.running(t, node);
                    HookRun.lookIfConcerned(t, t.node(id));
                }
            }
            case StepReport.Ready(_, _, _, _, var address) -> Daemons.ready(t, node, address);
            case StepReport.Progress(_, var id, _, _, var progress, var message) -> {
                if (progress != null && !progress.equals(node.progress())) {
                    t.emit(new WorkflowEvent.NodeProgressed(id, progress));
                }
                if (message != null && !message.equals(node.message())) {
                    t.emit(new WorkflowEvent.NodeMessage(id, message));
                }
            }
            case StepReport.Finished(_, var id, _, var at, var startedAt, var outcome) -> {
                if (startedAt != null) {
                    t.ran(id, Duration.between(startedAt, at));
                }
                finished(t, node, outcome);
            }
            case StepReport.Discarded _ -> throw new IllegalStateException("not about the end");
        }
    }

    private static void finished(Transition t, Node node, StepOutcome outcome) {
        ContainerSetRun.ended(t, node, outcome.containers());
        Outputs outputs;
        try {
            Called called = Calls.of(t, node);
            outputs =
                    Results.ofLeaf(
                            called.template(), outcome, () -> Calls.variables(t, node, called));
        } catch (CallException e) {
            Endings.end(t, node, NodePhase.ERROR, e.getMessage(), null, List.of());
            return;
        }
        if (Daemons.is(t, node)) {
            Daemons.finished(t, node, outcome, outputs);
        } else {
            Endings.end(t, node, outcome.phase(), outcome.message(), outputs, List.of());
        }
    }

    /** The pause of a suspend node is over. */
    static void pauseOver(Transition t, String nodeId) {
        Node node = t.state().node(nodeId);
        if (node != null && !node.fulfilled()) {
            Endings.end(t, node, NodePhase.SUCCEEDED, null, supplied(t, node), List.of());
        }
    }

    /** A step has not begun within its time. */
    static void pendingTooLong(Transition t, String nodeId) {
        Node node = t.state().node(nodeId);
        if (node != null
                && node.phase() == NodePhase.PENDING
                && (node.stepId() != null || node.awaitsLocks())) {
            if (node.stepId() != null) {
                t.emit(new WorkflowEvent.StepStopRequested(node.stepId(), nodeId, "timeout"));
            }
            Endings.end(t, node, NodePhase.FAILED, "timeout", null, List.of());
        }
    }

    /**
     * The outputs of a suspend node when it goes on: what was supplied, else the defaults.
     *
     * @throws CallException if an output has neither
     */
    static @Nullable Outputs supplied(Transition t, Node node) {
        Outputs declared = Calls.of(t, node).template().outputs();
        if (declared == null || declared.parameters().isEmpty()) {
            return null;
        }
        List<Parameter> parameters = new ArrayList<>();
        for (Parameter p : declared.parameters()) {
            Scalar value = given(node, p.name());
            if (value == null && p.valueFrom() != null) {
                value = p.valueFrom().defaultValue();
            }
            if (value == null) {
                throw new CallException(
                        "raw output parameter '"
                                + p.name()
                                + "' has not been set and does not have a default value");
            }
            parameters.add(new Parameter(p.name(), value, null, null, null, null, null));
        }
        return new Outputs(parameters, List.of(), null, null);
    }

    private static @Nullable Scalar given(Node node, String parameter) {
        return node.outputs() == null
                ? null
                : node.outputs().parameters().stream()
                        .filter(p -> p.name().equals(parameter))
                        .findFirst()
                        .map(Parameter::value)
                        .orElse(null);
    }
}
