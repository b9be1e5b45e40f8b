package dev.millrace.workflowengine.model;

import dev.millrace.schemas.record.NodeType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who may begin. Where several calls want fewer slots than there are, any of them may be the first.
 * The core is asked which it let begin; what it did not is held back, but not if a slot is left
 * then.
 */
final class SlowSlots {
    private static final String FAILS = " fails before ";

    private final SlowTree tree;
    private final Set<String> forced = new HashSet<>();
    private final List<String> postponed = new ArrayList<>();
    private @Nullable Precedence core;

    SlowSlots(SlowTree tree) {
        this.tree = tree;
    }

    Precedence core() {
        return Objects.requireNonNull(core);
    }

    /** After a fact. */
    void begin(Precedence core) {
        this.core = core;
        forced.clear();
    }

    /** Before a walk. */
    void beginWalk() {
        postponed.clear();
    }

    /** Whether something that was held back has to be let go. */
    boolean force() {
        if (postponed.isEmpty()) {
            return false;
        }
        // Who fails at once says who of the others there is, and then who wants a slot.
        forced.add(
                postponed.stream()
                        .filter(p -> p.contains(FAILS))
                        .findFirst()
                        .orElse(postponed.getFirst()));
        return true;
    }

    /**
     * What takes no slot itself (a group, a pause, what waits for locks or fails at once) needs one
     * that is free all the same. It may have been there before what took the last one in the same
     * instant.
     *
     * @throws Full if there is no slot for a call
     */
    void mayStart(Spot.Call call) throws Full {
        NodeType type = SlowCalls.outer(tree, call);
        boolean leaf = type == NodeType.POD && !tree.shut(call.exit()) && !tree.late(call.exit());
        boolean pod = leaf && !SlowCalls.locks(tree, call);
        boolean counts = leaf || type == NodeType.STEPS || type == NodeType.DAG;
        // What holds locks does not wait for what may wait for these locks.
        // What did not stay may have come before all that did.
        boolean ended = core().ended(call.name());
        slot(
                call.name(),
                holds(call) ? null : call.boundary(),
                core().made(call.name()),
                pod && !ended,
                counts && !ended);
    }

    /** Whether it is an attempt of a node that holds locks. */
    private static boolean holds(Spot.Call call) {
        return call.attempt() && call.parents().stream().anyMatch(retry -> retry.asked);
    }

    void slot(String name, @Nullable Spot boundary, boolean chosen, boolean pod, boolean counts)
            throws Full {
        int most = boundary == null ? 0 : boundary.template().parallelism();
        if (tree.flow.parallelism() == 0 && most == 0) {
            return;
        }
        boolean allowed =
                free(tree.flow.parallelism(), activePods(pod))
                        && free(most, active(boundary, counts, false));
        if (allowed && (chosen || forced.contains(name))) {
            return;
        }
        if (free(tree.flow.parallelism(), activePods(true))
                && free(most, active(boundary, true, true))) {
            postponed.add(name);
        }
        throw new Full();
    }

    /** Whether there is a slot now in a Steps or DAG node. */
    boolean hasSlot(Spot boundary) {
        return free(tree.flow.parallelism(), activePods(true))
                && free(boundary.template().parallelism(), active(boundary, true, true));
    }

    private static boolean free(int most, long taken) {
        return most == 0 || taken < most;
    }

    private long activePods(boolean now) {
        return tree.spots().stream()
                .filter(s -> s.type == NodeType.POD && s.begun != null && !s.fulfilled())
                .filter(s -> now || s.begunIn < tree.fact())
                .count();
    }

    private long active(@Nullable Spot boundary, boolean now, boolean holding) {
        return tree.spots().stream()
                .filter(s -> s.boundary() == boundary && !s.fulfilled())
                .filter(
                        s ->
                                s.type == NodeType.POD
                                        || s.type == NodeType.STEPS
                                        || s.type == NodeType.DAG)
                .filter(s -> s.madeIn < tree.fact() || now && (holding || !holds(s.call)))
                .count();
    }

    /**
     * Whether failFast keeps a node from being made. What fails at this very instant may come
     * before the node or after it, which the core says.
     */
    boolean failFast(Spot boundary, String name) {
        if (!boundary.template().failFast()) {
            return false;
        }
        if (core().made(name)) {
            return tree.spots().stream()
                    .anyMatch(
                            s ->
                                    s.boundary() == boundary
                                            && s.failed()
                                            && s.finishedIn < tree.fact());
        }
        if (!troubled(boundary) && !forced.contains(boundary.name() + FAILS + name)) {
            postponed.add(boundary.name() + FAILS + name);
            return true;
        }
        return troubled(boundary);
    }

    /** Whether anything directly in a Steps or DAG node has failed. */
    boolean troubled(Spot boundary) {
        return tree.spots().stream().anyMatch(s -> s.boundary() == boundary && s.failed());
    }
}
