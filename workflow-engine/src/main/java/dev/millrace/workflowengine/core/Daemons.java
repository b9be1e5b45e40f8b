package dev.millrace.workflowengine.core;

import dev.millrace.schemas.record.Daemon;
import dev.millrace.schemas.record.Frame;
import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.NodeType;
import dev.millrace.schemas.record.StepOutcome;
import dev.millrace.schemas.record.Work;
import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.schemas.workflow.Outputs;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Daemons: once ready they are done for whoever waits for them, and run on until the Steps or DAG
 * node around them ends. What ends earlier has failed, whatever its exit code.
 */
final class Daemons {
    private static final String NO_LONGER_NEEDED = "what the daemon was for has ended";

    private Daemons() {}

    /**
     * Whether a node runs a daemon, or is the Retry node of one. Without anything around it that
     * could end it, it is an ordinary step.
     */
    static boolean is(Transition t, Node node) {
        return node.boundaryId() != null
                && (node.type() == NodeType.POD || node.type() == NodeType.RETRY)
                && Calls.member(t, node, "daemon").asBoolean(false);
    }

    /** Whether it is a daemon that is being ended, since what is around it has ended. */
    static boolean isOver(Transition t, Node node) {
        return is(t, node) && boundary(t, node).ended();
    }

    private static Node boundary(Transition t, Node node) {
        return t.node(node.boundaryId() == null ? "" : node.boundaryId());
    }

    /** The daemon of a node is ready. */
    static void ready(Transition t, Node node, String address) {
        Daemon before = node.daemon();
        Daemon ready = new Daemon(address, true);
        if (!is(t, node) || ready.equals(before)) {
            return;
        }
        t.emit(new WorkflowEvent.NodeDaemoned(node.id(), address));
        if (before != null || isOver(t, node)) {
            return; // Another attempt; whoever waited went on when the first one was ready.
        }
        Slots.ready(t, node);
        if (!node.attempt()) {
            Frame frame = boundary(t, node).frame();
            List<String> daemons = new ArrayList<>(frame.daemons());
            daemons.add(node.id());
            t.frame(boundary(t, node).id(), frame.withDaemons(daemons));
        }
        if (node.frame().openHooks() == 0) {
            t.enqueue(new Work.Settled(node.id()));
        }
    }

    /**
     * What is particular to the Retry node of a daemon.
     *
     * @return whether that was all there is to consider
     */
    static boolean considered(Transition t, Node retry) {
        if (!is(t, retry)) {
            return false;
        }
        Node last = RetryRun.lastAttempt(t, retry);
        if (isOver(t, retry)) {
            if (last != null && !last.ended()) {
                stop(t, last);
                return true;
            }
            if (last != null && last.phase().failedOrError() && t.head().shutdown() != null) {
                return false;
            }
            t.emit(new WorkflowEvent.TimerCancelled(RetryRun.RETRY_TIMER + retry.id()));
            LockRun.release(t, t.finish(retry, NodePhase.SUCCEEDED, null, null, List.of()));
            return true;
        }
        if (last != null && last.daemon() != null && last.daemoned()) {
            ready(t, retry, last.daemon().address());
            return true;
        }
        return false;
    }

    /** A Steps or DAG node has ended: its daemons are not needed any more. */
    static void boundaryEnded(Transition t, Node boundary) {
        for (String id : boundary.frame().daemons()) {
            Node node = t.node(id);
            if (node.ended()) {
                continue;
            }
            if (node.type() == NodeType.RETRY) {
                t.enqueue(new Work.ConsiderRetry(id));
            } else {
                stop(t, node);
            }
        }
    }

    private static void stop(Transition t, Node node) {
        if (node.stepId() != null) {
            t.emit(new WorkflowEvent.StepStopRequested(node.stepId(), node.id(), NO_LONGER_NEEDED));
        }
    }

    /** The step of a daemon ended. */
    static void finished(Transition t, Node node, StepOutcome outcome, @Nullable Outputs outputs) {
        if (isOver(t, node)) {
            Endings.end(t, node, NodePhase.SUCCEEDED, null, stored(outputs), List.of());
            ArtifactGc.afterEnd(t, node.id());
        } else if (outcome.phase() == NodePhase.SUCCEEDED) {
            String message = "the daemon ended by itself, before what it was for";
            Endings.end(t, node, NodePhase.FAILED, message, outputs, List.of());
        } else {
            Endings.end(t, node, outcome.phase(), outcome.message(), outputs, List.of());
        }
    }

    /** Of a daemon that did its duty only what it stored counts: its log, for one. */
    private static @Nullable Outputs stored(@Nullable Outputs outputs) {
        return outputs == null || outputs.artifacts().isEmpty()
                ? null
                : new Outputs(List.of(), outputs.artifacts(), null, null);
    }

    /** The node of a daemon that was ready came to its end, which its owner does not wait for. */
    static void ended(Transition t, Node node) {
        if (node.ownerId() == null || node.hooked()) {
            return;
        }
        Node owner = t.node(node.ownerId());
        if (node.attempt()) {
            t.enqueue(new Work.Settled(node.id()));
        } else if (!owner.ended() && !boundary(t, node).ended()) {
            // Open once more, until its exit hooks are done.
            TaskGroupRun.open(t, owner, 1);
            Endings.fulfilled(t, node);
        }
    }
}
