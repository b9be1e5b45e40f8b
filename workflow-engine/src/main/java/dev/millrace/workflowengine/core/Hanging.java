package dev.millrace.workflowengine.core;

import dev.millrace.schemas.record.Inherited;
import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.NodeType;
import dev.millrace.schemas.record.Work;
import dev.millrace.workflowengine.state.Outbound;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Hangs nodes below what comes out of those before them: below few at once, below what is a long
 * list a portion at a time. A task that never ran notes what it inherits on this way.
 */
final class Hanging {

    private Hanging() {}

    /**
     * What comes out of some nodes. Of long lists there is work, to be done when the node that is
     * to hang below them is there.
     *
     * @param nodeId the node that is to be hung
     */
    static List<String> below(Transition t, String nodeId, Collection<Node> before) {
        Set<String> few = new LinkedHashSet<>();
        Set<Outbound.Rest> many = new LinkedHashSet<>();
        before.forEach(node -> Outbound.expand(t.state(), node, 1, few, many));
        enqueue(t, nodeId, many);
        return List.copyOf(few);
    }

    private static void enqueue(Transition t, String nodeId, Set<Outbound.Rest> many) {
        for (Outbound.Rest rest : new ArrayList<>(many).reversed()) {
            Integer depth = rest.depth() == 1 ? null : rest.depth();
            t.enqueueFirst(new Work.Hang(nodeId, rest.nodeId(), 0, depth));
        }
    }

    /** Hangs a node below a portion of a long list. */
    static void hang(Transition t, Work.Hang hang) {
        if (t.state().node(hang.nodeId()) == null) {
            return; // It waits for a slot; what starts it hangs it.
        }
        Set<String> few = new LinkedHashSet<>();
        Set<Outbound.Rest> many = new LinkedHashSet<>();
        int depth = hang.depth() == null ? 1 : hang.depth();
        int next =
                Outbound.expand(
                        t.state(),
                        new Outbound.Rest(hang.groupId(), depth),
                        hang.from(),
                        few,
                        many);
        add(t, hang.nodeId(), few);
        if (next >= 0) {
            t.enqueueFirst(new Work.Hang(hang.nodeId(), hang.groupId(), next, hang.depth()));
            t.exhaust();
        }
        enqueue(t, hang.nodeId(), many);
    }

    /** Hangs a node that is there below others. */
    static void add(Transition t, String nodeId, Collection<String> parents) {
        parents.forEach(parent -> t.addChild(parent, nodeId));
        Node node = t.node(nodeId);
        if (inherits(node)) {
            Inherited known = node.frame().inherits();
            Inherited all = known == null ? Inherited.UNCLEAR : known.and(from(t, parents));
            if (all != known) {
                t.frame(nodeId, node.frame().withInherits(all));
            }
        }
    }

    /** A new node with what it inherits, if it is a task that never ran. */
    static Node noted(Transition t, Node node, List<String> parents) {
        boolean task =
                node.ownerId() != null
                        && node.ownerId().equals(node.boundaryId())
                        && !node.hooked()
                        && t.node(node.ownerId()).type() == NodeType.DAG;
        return task && inherits(node)
                ? node.withFrame(node.frame().withInherits(from(t, parents)))
                : node;
    }

    /** Whether a node has no phase of its own that would say what becomes of those behind it. */
    static boolean inherits(Node node) {
        return node.phase() == NodePhase.SKIPPED || node.phase() == NodePhase.OMITTED;
    }

    /** What a task inherits that hangs below these nodes; of a DAG itself that is success. */
    static Inherited from(Transition t, Collection<String> parents) {
        Inherited all = Inherited.SUCCEEDED;
        for (String parent : parents) {
            all = all.and(from(t, t.node(parent)));
        }
        return all;
    }

    private static Inherited from(Transition t, Node node) {
        if (!inherits(node)) {
            return of(node.phase());
        }
        // Items and steps hang below their group, which has an end of its own.
        Node owner = node.ownerId() == null || node.hooked() ? null : t.node(node.ownerId());
        if (owner != null && owner.type().isGroup()) {
            return of(owner.phase());
        }
        Inherited noted = node.frame().inherits();
        return owner == null || owner.type() != NodeType.DAG || noted == null
                ? Inherited.UNCLEAR
                : noted;
    }

    private static Inherited of(NodePhase phase) {
        return switch (phase) {
            case SUCCEEDED -> Inherited.SUCCEEDED;
            case FAILED -> Inherited.FAILED;
            case ERROR -> Inherited.ERROR;
            // A daemon may fail yet.
            case PENDING, RUNNING, SKIPPED, OMITTED -> Inherited.UNCLEAR;
        };
    }
}
