package dev.millrace.workflowengine.core;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.CommandAnswer;
import dev.millrace.schemas.record.Cursor;
import dev.millrace.schemas.record.Frame;
import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.NodeType;
import dev.millrace.schemas.record.Redo;
import dev.millrace.schemas.record.Work;
import dev.millrace.schemas.record.WorkflowCommand;
import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.schemas.record.WorkflowHead;
import dev.millrace.schemas.record.WorkflowPhase;
import dev.millrace.schemas.record.WorkflowSource;
import dev.millrace.schemas.record.WorkflowStage;
import dev.millrace.workflowengine.state.NodeLists;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Takes up a workflow that has ended: what failed, and what came after it, is removed; the groups
 * around it are reopened and go on with what they lack. Two passes over the nodes, a portion at a
 * time: {@link RedoMarks} says what goes, then it goes.
 */
final class WorkflowRetry {
    private static final int PORTION = 200;
    private static final int MANY_CHILDREN = 1_000;
    private static final String NOT_REACHED =
            "did not go on: what is around it ended before its turn";

    private WorkflowRetry() {}

    /** Why the command cannot be done, or null if it can. */
    static @Nullable CommandAnswer refusal(Transition t, WorkflowCommand.Retry c) {
        WorkflowHead head = t.head();
        WorkflowPhase phase = head.phase() == null ? WorkflowPhase.PENDING : head.phase();
        boolean selects = c.restartSuccessful() && selector(c) != null;
        if (head.stage() == WorkflowStage.DONE && stillEnding(t)) {
            return new CommandAnswer(
                    c.commandId(),
                    CommandAnswer.FAILED_PRECONDITION,
                    "Cannot retry a workflow whose nodes are still being ended: try again in a moment");
        }
        if (head.stage() == WorkflowStage.DONE && (phase != WorkflowPhase.SUCCEEDED || selects)) {
            NodeSelector.parse(c.nodeFieldSelector());
            return null;
        }
        String hint =
                phase == WorkflowPhase.SUCCEEDED
                        ? ": give restartSuccessful and a nodeFieldSelector that picks what shall run again"
                        : "";
        return new CommandAnswer(
                c.commandId(),
                CommandAnswer.FAILED_PRECONDITION,
                "Cannot retry a workflow in phase " + phase.text() + hint);
    }

    /** What the engine abandoned ends a portion at a time, and gives its locks back only then. */
    private static boolean stillEnding(Transition t) {
        return !t.state().openNodes("", 1).isEmpty();
    }

    private static @Nullable String selector(WorkflowCommand.Retry c) {
        String text = c.nodeFieldSelector();
        return text == null || text.isBlank() ? null : text;
    }

    /** Begins the next run of a workflow that has ended. */
    static void begin(Transition t, WorkflowCommand.Retry c) {
        boolean neverStarted = t.head().startedAt() == null;
        boolean changed = !c.parameters().isEmpty();
        t.forgetWork();
        Expiry.callOff(t);
        t.emit(
                new WorkflowEvent.Retried(
                        t.now(), changed ? withParameters(t.source(), c.parameters()) : null));
        if (neverStarted) {
            RootRun.begin(t);
            return;
        }
        if (!RootRun.beginAgain(t, changed)) {
            return;
        }
        if (changed) {
            RootRun.refreshInputs(t);
        }
        t.enqueueFirst(new Work.MarkRetry("", c.restartSuccessful() ? selector(c) : null, changed));
    }

    private static WorkflowSource withParameters(
            WorkflowSource source, Map<String, String> parameters) {
        ObjectNode manifest = (ObjectNode) source.manifest().deepCopy();
        replace(manifest.withObject("/spec"), parameters);
        ObjectNode spec = (ObjectNode) source.original().deepCopy();
        replace(spec, parameters);
        return source.with(manifest, spec, null);
    }

    private static void replace(ObjectNode spec, Map<String, String> parameters) {
        ObjectNode arguments =
                spec.get("arguments") instanceof ObjectNode known
                        ? known
                        : spec.putObject("arguments");
        ArrayNode all =
                arguments.get("parameters") instanceof ArrayNode known
                        ? known
                        : arguments.putArray("parameters");
        parameters.forEach(
                (name, value) -> {
                    ObjectNode parameter = null;
                    for (JsonNode known : all) {
                        if (known.path("name").asString("").equals(name)) {
                            parameter = (ObjectNode) known;
                        }
                    }
                    if (parameter == null) {
                        parameter = all.addObject().put("name", name);
                    }
                    parameter.remove("valueFrom");
                    parameter.set("value", Json.mapper().getNodeFactory().stringNode(value));
                });
    }

    /** Marks a portion of the nodes. */
    static void mark(Transition t, Work.MarkRetry work) {
        List<String> portion = t.state().nodes(work.after(), PORTION);
        NodeSelector selector =
                work.selector() == null ? null : NodeSelector.parse(work.selector());
        RedoMarks marks = new RedoMarks(t, selector, work.reexpand());
        portion.forEach(id -> marks.visit(t.node(id)));
        if (portion.size() == PORTION) {
            t.enqueueFirst(new Work.MarkRetry(portion.getLast(), work.selector(), work.reexpand()));
            t.exhaust();
        } else {
            t.enqueueFirst(new Work.SpreadRetry(0, 0));
        }
    }

    /** Marks a portion of what comes after what is marked. */
    static void spread(Transition t, Work.SpreadRetry work) {
        Work.SpreadRetry left = new RedoMarks(t, null, false).spread(work);
        if (left != null) {
            t.enqueueFirst(left);
            t.exhaust();
            return;
        }
        forget(t, NodeLists.MARKED);
        t.enqueueFirst(new Work.SweepRetry(""));
    }

    private static void forget(Transition t, String list) {
        if (t.state().childCount(list) > 0) {
            t.removeChildren(list);
        }
    }

    /**
     * Removes and reopens a portion of the nodes, as they are marked; in the end the root starts.
     */
    static void sweep(Transition t, Work.SweepRetry work) {
        List<String> portion = t.state().nodes(work.after(), PORTION);
        Fates fates = new Fates(t);
        // All of them first: what is removed can no longer be asked.
        portion.forEach(id -> fates.of(t.node(id)));
        List<String> removed = new ArrayList<>();
        for (String id : portion) {
            Node node = t.node(id);
            switch (fates.of(node)) {
                case REMOVE -> {
                    if (node.stepId() != null) {
                        ArtifactGc.onRemoval(t, node);
                        t.emit(new WorkflowEvent.StepForgotten(node.stepId()));
                    }
                    removed.add(id);
                }
                case REOPEN -> {
                    reopen(t, node);
                    if (!node.type().isGroup()) {
                        prune(t, node, fates);
                    } else if (t.state().childCount(id) > 0) {
                        // Its members are hung anew, in order, when they start or are kept.
                        t.emit(new WorkflowEvent.ChildrenRemoved(id, List.of()));
                    }
                }
                case KEEP -> {
                    boolean unhooked = hooks(t, node, fates);
                    if (unhooked || !node.type().isGroup()) {
                        prune(t, node, fates);
                    }
                }
            }
        }
        if (!removed.isEmpty()) {
            t.emit(new WorkflowEvent.NodesRemoved(List.copyOf(removed)));
        }
        if (portion.size() == PORTION) {
            t.enqueueFirst(new Work.SweepRetry(portion.getLast()));
            t.exhaust();
        } else {
            t.enqueueFirst(new Work.PruneRetry(0, 0));
        }
    }

    private static void reopen(Transition t, Node node) {
        Frame frame = Frame.EMPTY.withRedo(node.frame().redo());
        if (node.type() == NodeType.STEPS) {
            frame = frame.withGroup(firstReopened(t, node));
        } else if (node.type().isGroup()) {
            frame = frame.withCursor(new Cursor(0, 0));
        } else if (node.type() == NodeType.RETRY) {
            t.emit(new WorkflowEvent.TimerCancelled(RetryRun.RETRY_TIMER + node.id()));
        }
        t.emit(new WorkflowEvent.NodeReopened(node.id(), frame, t.now()));
    }

    /** Hooks that are removed have not run; none that stays is waited for any more. */
    private static boolean hooks(Transition t, Node node, Fates fates) {
        Frame frame = node.frame();
        List<String> left = new ArrayList<>(frame.hooks());
        left.removeIf(
                name -> {
                    Node hook = t.find(HookRun.name(node, name));
                    return hook == null || fates.of(hook) == Fate.REMOVE;
                });
        if (left.size() < frame.hooks().size() || frame.openHooks() > 0) {
            t.frame(node.id(), frame.withHooks(0, left));
        }
        return left.size() < frame.hooks().size();
    }

    /**
     * A member that is kept: its hooks that were removed run again, and the owner waits for them.
     */
    static void keep(Transition t, Node owner, Node member) {
        if (owner.type().isGroup()) {
            t.keep(owner.id(), member);
        }
        if (HookRun.concerns(member) && member.fulfilled() && member.frame().openHooks() == 0) {
            HookRun.look(t, member);
            if (t.node(member.id()).frame().openHooks() > 0) {
                DagRun.opened(t, owner.id());
            }
        }
    }

    /** The group of a Steps node that goes on; the groups behind it are removed. */
    private static int firstReopened(Transition t, Node steps) {
        for (int i = 0; i <= steps.frame().group(); i++) {
            Node group = t.find(steps.name() + "[" + i + "]");
            if (group == null || marked(t, group)) {
                return i;
            }
        }
        return steps.frame().group();
    }

    /**
     * Takes off a portion of the children that were removed from nodes with very many; in the end
     * the root starts.
     */
    static void prune(Transition t, Work.PruneRetry work) {
        List<String> next = t.state().children(NodeLists.PRUNED, work.from(), 1);
        if (next.isEmpty()) {
            forget(t, NodeLists.PRUNED);
            Node root = t.state().node(t.name());
            t.enqueueFirst(
                    root != null && root.fulfilled()
                            ? new Work.Settled(root.id())
                            : new Work.Begin());
            return;
        }
        List<String> page = t.state().children(next.getFirst(), work.within(), MANY_CHILDREN);
        List<String> gone = page.stream().filter(id -> t.state().node(id) == null).toList();
        if (!gone.isEmpty()) {
            t.emit(new WorkflowEvent.ChildrenRemoved(next.getFirst(), gone));
        }
        t.enqueueFirst(
                page.size() < MANY_CHILDREN
                        ? new Work.PruneRetry(work.from() + 1, 0)
                        : new Work.PruneRetry(
                                work.from(), work.within() + page.size() - gone.size()));
        t.exhaust();
    }

    /** Takes off the children that are removed; of very many when all that goes is gone. */
    private static void prune(Transition t, Node node, Fates fates) {
        if (t.state().childCount(node.id()) > MANY_CHILDREN) {
            t.addChild(NodeLists.PRUNED, node.id());
            return;
        }
        List<String> gone = new ArrayList<>();
        for (String id : t.state().children(node.id())) {
            Node child = t.state().node(id);
            if (child == null || fates.of(child) == Fate.REMOVE) {
                gone.add(id);
            }
        }
        if (!gone.isEmpty()) {
            t.emit(new WorkflowEvent.ChildrenRemoved(node.id(), gone));
        }
    }

    private static boolean marked(Transition t, Node node) {
        Redo redo = node.frame().redo();
        return redo != null && redo.run() == t.head().run();
    }

    /** Whether a node was reopened and has not gone on yet. */
    static boolean reopened(Transition t, @Nullable Node node) {
        return node != null && !node.fulfilled() && marked(t, node);
    }

    /** Whether a node was reopened, but what is around it ended before its turn. */
    static boolean leftBehind(Transition t, Node node) {
        if (!reopened(t, node)) {
            return false;
        }
        for (String id = node.ownerId(); id != null; id = t.node(id).ownerId()) {
            if (t.node(id).fulfilled()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Ends what was reopened and never went on: what is around it ended before (failFast, locks
     * that cannot be had).
     */
    static void giveUp(Transition t) {
        if (t.head().run() == 0) {
            return;
        }
        for (String id : t.state().openNodes()) {
            Node node = t.node(id);
            if (reopened(t, node)) {
                t.finish(node, NodePhase.FAILED, NOT_REACHED, null, List.of());
            }
        }
    }

    /** A node that was reopened goes on. */
    static void resumed(Transition t, Node node) {
        t.frame(node.id(), node.frame().withRedo(null));
    }

    private enum Fate {
        KEEP,
        REOPEN,
        REMOVE
    }

    /** What becomes of nodes: of each what its mark says, unless the node around it says more. */
    private static final class Fates {
        private final Transition t;
        private final Map<String, Fate> known = new HashMap<>();

        Fates(Transition t) {
            this.t = t;
        }

        Fate of(Node node) {
            Fate fate = known.get(node.id());
            if (fate == null) {
                fate = decide(node);
                known.put(node.id(), fate);
            }
            return fate;
        }

        private Fate decide(Node node) {
            if (node.ownerId() == null) {
                // The exit handler runs again whatever became of it.
                return node.hooked() ? Fate.REMOVE : byMark(node);
            }
            Node owner = t.state().node(node.ownerId());
            Fate around = owner == null ? Fate.REMOVE : of(owner);
            if (around == Fate.KEEP && owner != null && node.hooked()) {
                Node group = owner.ownerId() == null ? null : t.state().node(owner.ownerId());
                return group != null && of(group) == Fate.REOPEN ? byMark(node) : Fate.KEEP;
            }
            if (around == Fate.REOPEN) {
                return node.hooked() ? Fate.REMOVE : byMark(node);
            }
            return around;
        }

        private Fate byMark(Node node) {
            Redo redo = node.frame().redo();
            if (redo == null || !marked(t, node)) {
                return Fate.KEEP;
            }
            return redo.whole() ? Fate.REMOVE : Fate.REOPEN;
        }
    }
}
