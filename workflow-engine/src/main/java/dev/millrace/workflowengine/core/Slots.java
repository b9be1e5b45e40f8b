package dev.millrace.workflowengine.core;

import dev.millrace.schemas.record.Frame;
import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.NodeType;
import dev.millrace.schemas.record.Work;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The limits {@code parallelism}: of a Steps or DAG template (its direct children of type Pod,
 * Steps, DAG) and of the workflow (steps). Work that finds no slot waits in the state, in order.
 */
final class Slots {

    private Slots() {}

    /**
     * Whether a child may start now; if not, the work waits for a slot.
     *
     * @return true if it may start
     */
    static boolean free(Transition t, @Nullable String boundaryId, Work work) {
        long limit = t.workflow().parallelism();
        if (limit > 0 && t.head().activeSteps() >= limit) {
            t.blocked(with(t.head().blocked(), work));
            return false;
        }
        if (boundaryId == null) {
            return true;
        }
        Node boundary = t.node(boundaryId);
        long own = limit(t, boundary);
        Frame frame = boundary.frame();
        if (own > 0 && frame.active() >= own) {
            List<Work> blocked = with(frame.blocked(), work);
            if (blocked != frame.blocked()) {
                t.frame(boundaryId, frame.withBlocked(blocked, null));
            }
            return false;
        }
        return true;
    }

    /** The work that waits with one more; tasks with places next to each other wait as one. */
    private static List<Work> with(List<Work> blocked, Work work) {
        if (blocked.contains(work)) {
            return blocked;
        }
        List<Work> all = new ArrayList<>(blocked);
        if (work instanceof Work.StartTasks tasks
                && !all.isEmpty()
                && all.getLast() instanceof Work.StartTasks last
                && last.joins(tasks)) {
            all.set(all.size() - 1, last.with(tasks));
        } else {
            all.add(work);
        }
        return all;
    }

    /** What still waits when the first has gone. */
    private static List<Work> rest(List<Work> blocked) {
        List<Work> rest = new ArrayList<>(blocked.subList(1, blocked.size()));
        if (blocked.getFirst() instanceof Work.StartTasks tasks && tasks.to() - tasks.from() > 1) {
            rest.addFirst(tasks.from(tasks.from() + 1));
        }
        return rest;
    }

    /** A node that counts was started. */
    static void taken(Transition t, Node node) {
        change(t, node, 1);
    }

    /** A node that counts is about to be counted again. */
    static void handBack(Transition t, Node node) {
        if (node.boundaryId() != null && counts(node)) {
            Node boundary = t.node(node.boundaryId());
            if (limit(t, boundary) > 0) {
                t.frame(boundary.id(), boundary.frame().withActive(boundary.frame().active() - 1));
            }
        }
    }

    /** A node that may have counted came to its end. */
    static void released(Transition t, Node node) {
        if (node.daemon() == null) {
            change(t, node, -1);
        }
        if (node.stepId() != null && !t.head().blocked().isEmpty()) {
            t.enqueue(new Work.Resume(null));
        }
    }

    /** A daemon that counts is ready: below its node it does not count any more. */
    static void ready(Transition t, Node node) {
        change(t, node, -1);
    }

    private static void change(Transition t, Node node, int by) {
        if (node.boundaryId() == null || !counts(node)) {
            return;
        }
        Node boundary = t.node(node.boundaryId());
        if (limit(t, boundary) > 0) {
            t.frame(boundary.id(), boundary.frame().withActive(boundary.frame().active() + by));
            if (by < 0 && !boundary.frame().blocked().isEmpty()) {
                t.enqueue(new Work.Resume(boundary.id()));
            }
        }
    }

    private static boolean counts(Node node) {
        return node.type() == NodeType.POD
                || node.type() == NodeType.STEPS
                || node.type() == NodeType.DAG;
    }

    private static long limit(Transition t, Node boundary) {
        return Calls.member(t, boundary, "parallelism").asLong(0);
    }

    /**
     * The first work that waits for a slot below a node, or of the workflow (no node), if there is
     * a slot now; else null.
     */
    static @Nullable Work resume(Transition t, @Nullable String boundaryId) {
        List<Work> blocked;
        if (boundaryId == null) {
            blocked = t.head().blocked();
            if (blocked.isEmpty() || t.head().activeSteps() >= t.workflow().parallelism()) {
                return null;
            }
            t.blocked(rest(blocked));
        } else {
            Node boundary = t.node(boundaryId);
            Frame frame = boundary.frame();
            blocked = frame.blocked();
            if (blocked.isEmpty() || boundary.fulfilled() || frame.active() >= limit(t, boundary)) {
                return null;
            }
            t.frame(boundaryId, frame.withBlocked(rest(blocked), null));
        }
        if (!rest(blocked).isEmpty()) {
            // It may not take the slot after all; then the next one shall.
            t.enqueueFirst(new Work.Resume(boundaryId));
        }
        return blocked.getFirst() instanceof Work.StartTasks tasks
                ? tasks.first()
                : blocked.getFirst();
    }
}
