package dev.millrace.workflowengine.core;

import dev.millrace.schemas.record.Frame;
import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.NodeType;
import dev.millrace.schemas.record.Work;
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
            new Waiting(t, null).add(work);
            return false;
        }
        if (boundaryId == null) {
            return true;
        }
        Node boundary = t.node(boundaryId);
        long own = limit(t, boundary);
        Frame frame = boundary.frame();
        if (own > 0 && frame.active() >= own) {
            new Waiting(t, boundaryId).add(work);
            return false;
        }
        return true;
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
        Waiting waiting = new Waiting(t, boundaryId);
        if (waiting.first().isEmpty()) {
            return null;
        }
        if (boundaryId == null) {
            if (t.head().activeSteps() >= t.workflow().parallelism()) {
                return null;
            }
        } else {
            Node boundary = t.node(boundaryId);
            if (boundary.fulfilled() || boundary.frame().active() >= limit(t, boundary)) {
                return null;
            }
        }
        Work first = waiting.take();
        if (!waiting.first().isEmpty()) {
            // It may not take the slot after all; then the next one shall.
            t.enqueueFirst(new Work.Resume(boundaryId));
        }
        return first;
    }
}
