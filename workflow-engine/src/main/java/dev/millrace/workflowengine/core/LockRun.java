package dev.millrace.workflowengine.core;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.LockClaim;
import dev.millrace.schemas.record.LockHolder;
import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.NodeType;
import dev.millrace.schemas.record.Work;
import dev.millrace.schemas.record.WorkflowCommand;
import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.schemas.record.WorkflowHead;
import dev.millrace.schemas.workflow.Synchronization;
import dev.millrace.workflowengine.locks.LockName;
import dev.millrace.workflowengine.locks.WorkflowLimits;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Locks: a workflow or a node asks for all of its locks before it begins, and gives them back at
 * its end. Who grants them is {@code LockMachine}.
 */
final class LockRun {

    private LockRun() {}

    /**
     * Makes the node of a call that takes locks. It begins when it has them; a retried one takes
     * them once, for all of its attempts.
     *
     * @return false if the call takes none
     * @throws CallException if a lock has no name
     */
    static boolean request(Transition t, Call call, Called called) {
        List<String> locks = wanted(t, call, called);
        if (locks.isEmpty()) {
            return false;
        }
        NodeType type = Calls.outerType(t, called);
        Node node = Calls.node(t, call, type, NodePhase.PENDING, null, called, null);
        t.add(node, call.parents());
        Slots.taken(t, node);
        ask(t, node.id(), locks);
        if (isLeaf(type)) {
            LeafRun.pendingTimer(t, node, called);
        }
        return true;
    }

    /**
     * The names of the locks that the node of a call needs before it begins; empty if none.
     *
     * @throws CallException if a lock has no name
     */
    static List<String> wanted(Transition t, Call call, Called called) {
        Synchronization synchronization = called.template().synchronization();
        boolean over = t.shut(call.exitHandler()) || t.late(call.exitHandler());
        return synchronization == null || Calls.attempt(call) || over
                ? List.of()
                : names(t, synchronization);
    }

    /** Asks for locks on behalf of a node. */
    static void ask(Transition t, String nodeId, List<String> locks) {
        t.emit(new WorkflowEvent.LocksRequested(nodeId, locks, t.workflow().priority()));
    }

    private static boolean isLeaf(NodeType type) {
        return type != NodeType.RETRY && type != NodeType.STEPS && type != NodeType.DAG;
    }

    /**
     * Asks for the locks of the workflow as a whole, and for its slots where only so many run.
     *
     * @param spec the spec with its global values
     * @return false if it takes none
     * @throws CallException if a lock has no name
     */
    static boolean requestForWorkflow(Transition t, JsonNode spec) {
        List<String> locks = new ArrayList<>();
        if (t.limited()) {
            locks.addAll(WorkflowLimits.slots(t.head().namespace()));
        }
        locks.addAll(ofWorkflow(t, spec));
        if (locks.isEmpty()) {
            return false;
        }
        t.emit(new WorkflowEvent.LocksRequested(null, locks, t.workflow().priority()));
        return true;
    }

    private static List<String> ofWorkflow(Transition t, JsonNode spec) {
        JsonNode tree = spec.path("synchronization");
        if (!tree.isObject()) {
            return List.of();
        }
        try {
            return names(t, Json.convert(tree, Synchronization.class));
        } catch (JacksonException e) {
            throw new CallException("synchronization: " + e.getOriginalMessage());
        }
    }

    /** Whether the workflow has its own locks. */
    static boolean workflowHolds(Transition t) {
        LockClaim claim = t.head().lock();
        return claim != null && claim.stage() == LockClaim.Stage.HELD;
    }

    private static List<String> names(Transition t, Synchronization synchronization) {
        try {
            return LockName.all(synchronization, t.head().namespace());
        } catch (IllegalArgumentException e) {
            throw new CallException(String.valueOf(e.getMessage()));
        }
    }

    /** What became of a request. What is not wanted (any more) is given back. */
    static void answered(Transition t, WorkflowCommand.LockAnswer answer) {
        LockHolder holder = answer.holder();
        LockClaim claim = wanted(t, holder);
        if (claim == null) {
            t.emit(new WorkflowEvent.LocksReleased(holder));
            return;
        }
        if (claim.stage() != LockClaim.Stage.ASKED) {
            return; // A repeat.
        }
        String nodeId = holder.nodeId();
        switch (answer) {
            case WorkflowCommand.LockGranted _ -> {
                t.emit(new WorkflowEvent.LocksGranted(nodeId));
                if (nodeId != null) {
                    t.enqueue(new Work.BeginLocked(nodeId));
                } else if (t.head().startedAt() == null) {
                    RootRun.begin(t);
                } // Else a retry waited for them: the work that it left goes on by itself.
            }
            case WorkflowCommand.LockWaiting(_, var lock, var message) -> {
                if (!lock.equals(claim.waiting()) || !message.equals(message(t, nodeId))) {
                    t.emit(new WorkflowEvent.LockAwaited(nodeId, lock, message));
                }
            }
            case WorkflowCommand.LockRefused(_, var message) -> {
                if (nodeId == null) {
                    RootRun.finishIfNotBegun(
                            t, "Failed to acquire the synchronization lock. " + message);
                } else {
                    Endings.end(t, t.node(nodeId), NodePhase.ERROR, message, null, List.of());
                }
            }
        }
    }

    private static @Nullable String message(Transition t, @Nullable String nodeId) {
        return nodeId == null ? t.head().message() : t.node(nodeId).message();
    }

    /** The claim of a holder that lives and has not given its locks back, or null. */
    private static @Nullable LockClaim wanted(Transition t, LockHolder holder) {
        WorkflowHead head = t.state().head();
        if (head == null
                || !WorkflowMachine.alive(t)
                || !holder.equals(head.holder(holder.nodeId()))) {
            return null;
        }
        if (holder.nodeId() == null) {
            return unlessReleased(head.lock());
        }
        Node node = t.state().node(holder.nodeId());
        return node == null || node.ended() ? null : unlessReleased(node.lock());
    }

    private static @Nullable LockClaim unlessReleased(@Nullable LockClaim claim) {
        return claim == null || claim.stage() == LockClaim.Stage.RELEASED ? null : claim;
    }

    /** A node has its locks: it begins, if the workflow has a slot for its step. */
    static void begin(Transition t, String nodeId) {
        Node node = t.state().node(nodeId);
        if (node == null || !node.awaitsLocks()) {
            return; // Ended meanwhile.
        }
        if (isLeaf(node.type()) && t.late(node.exitHandler())) {
            Endings.end(t, node, NodePhase.FAILED, CommandRun.DEADLINE_MESSAGE, null, List.of());
            return;
        }
        if (isLeaf(node.type()) && !Slots.free(t, null, new Work.BeginLocked(nodeId))) {
            return;
        }
        try {
            begin(t, node, Calls.of(t, node));
        } catch (CallException e) {
            Endings.end(t, t.node(nodeId), NodePhase.ERROR, e.getMessage(), null, List.of());
        }
    }

    /** What waits and yet is no new node: a retry of the workflow reopened it. */
    private static boolean reopened(Node waiting) {
        return waiting.phase() == NodePhase.RUNNING;
    }

    private static void begin(Transition t, Node node, Called called) {
        if (reopened(node)) {
            Calls.goOn(t, running(t, node), called);
            return;
        }
        if (Memoized.askLocked(t, node, called)) {
            return;
        }
        switch (node.type()) {
            case STEPS -> {
                StepsRun.begin(t, running(t, node), called);
                HookRun.lookIfConcerned(t, t.node(node.id()));
            }
            case DAG -> {
                DagRun.begin(t, running(t, node), called);
                HookRun.lookIfConcerned(t, t.node(node.id()));
            }
            case RETRY -> {
                RetryRun.begin(t, running(t, node));
                HookRun.lookIfConcerned(t, t.node(node.id()));
            }
            case POD, HTTP, PLUGIN, SUSPEND -> LeafRun.beginLocked(t, node, called);
            case CONTAINER, STEP_GROUP, TASK_GROUP, SKIPPED ->
                    throw new IllegalStateException(node.type() + " takes no locks");
        }
    }

    private static Node running(Transition t, Node node) {
        t.emit(new WorkflowEvent.NodeBegun(node.id(), NodePhase.RUNNING, null));
        return t.node(node.id());
    }

    /** The node needs its locks no more. */
    static void release(Transition t, Node node) {
        if (unlessReleased(node.lock()) != null) {
            t.emit(new WorkflowEvent.LocksReleased(t.head().holder(node.id())));
        }
    }

    /** The workflow needs its own locks no more. */
    static void releaseOfWorkflow(Transition t) {
        if (unlessReleased(t.head().lock()) != null) {
            t.emit(new WorkflowEvent.LocksReleased(t.head().holder(null)));
        }
    }
}
