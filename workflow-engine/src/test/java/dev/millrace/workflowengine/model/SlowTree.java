package dev.millrace.workflowengine.model;

import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.NodeType;
import dev.millrace.schemas.record.ShutdownStrategy;
import dev.millrace.schemas.record.StepOutcome;
import dev.millrace.workflowengine.core.NodeNames;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the tree of a workflow must be: after every fact the whole workflow is walked from its root
 * again, and again until nothing changes. It remembers nothing but the nodes that there are; there
 * is no work, no frame, no count.
 */
final class SlowTree {
    static final String NAME = "wf";
    static final String FAIL_FAST = "template has failed or errored children and failFast enabled";

    final Flow flow;
    private final Map<String, Spot> spots = new LinkedHashMap<>();
    final SlowSlots slots = new SlowSlots(this);
    final SlowCalls calls = new SlowCalls(this);
    final SlowHooks hooks = new SlowHooks(this);
    final SlowRoot root;
    private boolean changed;
    private int fact;
    Instant now;
    private @Nullable ShutdownStrategy shutdown;
    private boolean late;

    SlowTree(Flow flow, Instant now) {
        this.flow = flow;
        this.now = now;
        this.root = new SlowRoot(this);
    }

    // Facts.

    void next(Instant instant) {
        now = instant;
        fact++;
    }

    void begins(String name) {
        get(name).phase = NodePhase.RUNNING;
    }

    void ends(String name, StepOutcome outcome) {
        Spot spot = get(name);
        if (outcome.exitCode() != null) {
            spot.exitCode = outcome.exitCode().toString();
        }
        spot.result = outcome.result();
        spot.outputs = outcome.parameters().isEmpty() ? null : outcome.parameters();
        finish(spot, outcome.phase(), outcome.message(), List.of());
    }

    void granted(@Nullable String name) {
        if (name == null) {
            root.granted();
        } else {
            get(name).granted = true;
            get(name).message = null;
        }
    }

    void awaited(@Nullable String name, String why) {
        if (name == null) {
            root.awaited(why);
        } else {
            get(name).message = why;
        }
    }

    /** A pause is over by its time or by hand. */
    void goesOn(String name, @Nullable String why) {
        finish(get(name), NodePhase.SUCCEEDED, why, List.of());
    }

    /** The pause before an attempt is over. */
    void tries(String name) {
        get(name).rung = true;
    }

    void tooLate(String name) {
        finish(get(name), NodePhase.FAILED, "timeout", List.of());
    }

    void shutsDown(ShutdownStrategy strategy) {
        shutdown = strategy;
        root.shutsDown();
        endOpen(
                stopped(),
                "workflow shutdown with strategy:  " + strategy.text(),
                strategy != ShutdownStrategy.TERMINATE);
    }

    void deadlinePasses() {
        late = true;
        endOpen("Step exceeded its deadline", "Step exceeded its deadline", true);
    }

    private void endOpen(String idle, String running, boolean sparesExit) {
        for (Spot spot : List.copyOf(spots.values())) {
            if (spot.fulfilled() || (spot.call.exit() && sparesExit)) {
                continue;
            }
            if (spot.waitsForLocks() || spot.asked && !groupOrRetry(spot) && spot.begun == null) {
                finish(spot, NodePhase.FAILED, idle, List.of());
            } else if (spot.type == NodeType.POD) {
                finish(spot, NodePhase.FAILED, running, List.of());
            } else if (spot.type == NodeType.SUSPEND) {
                finish(spot, NodePhase.FAILED, idle, List.of());
            }
        }
    }

    private static boolean groupOrRetry(Spot spot) {
        return spot.type != NodeType.POD && spot.type != NodeType.SUSPEND;
    }

    // What stands.

    Collection<Spot> spots() {
        return spots.values();
    }

    /** The timers that there have to be. */
    Set<String> waitFor() {
        Set<String> timers = new HashSet<>();
        for (Spot spot : spots.values()) {
            String id = NodeNames.id(NAME, spot.name());
            boolean pause = spot.template().body() instanceof Flow.Pause(int s) && s > 0;
            if (spot.type == NodeType.SUSPEND && spot.phase == NodePhase.RUNNING && pause) {
                timers.add("suspend/" + id);
            } else if (spot.type == NodeType.POD
                    && spot.phase == NodePhase.PENDING
                    && spot.template().seconds() > 0) {
                timers.add("pending/" + id);
            } else if (SlowRetry.waits(spot) && !spot.rung) {
                timers.add("retry/" + id);
            }
        }
        if (root.deadline() != null && !late && !root.done()) {
            timers.add("deadline");
        }
        return timers;
    }

    @Nullable Spot find(String name) {
        return spots.get(name);
    }

    Spot get(String name) {
        return Objects.requireNonNull(spots.get(name), name);
    }

    int fact() {
        return fact;
    }

    Flow.@Nullable Retry retry(Flow.Template template) {
        return template.retry() != null ? template.retry() : flow.retry();
    }

    // The walk.

    /**
     * Walks until nothing changes.
     *
     * @param core what the core did in an order that is its own
     */
    void settle(Precedence core) {
        slots.begin(core);
        do {
            do {
                changed = false;
                slots.beginWalk();
                root.walk();
            } while (changed);
        } while (slots.force());
    }

    /** The walk has to be done once more. */
    void changed() {
        changed = true;
    }

    Spot add(Spot.Call call, NodeType type, NodePhase first) {
        Spot spot = new Spot(call, type, first, now);
        spot.madeIn = fact;
        Spot known = spots.put(call.name(), spot);
        if (known != null) {
            throw new IllegalStateException(call.name() + " is made twice");
        }
        call.parents().forEach(p -> p.children.add(spot));
        changed = true;
        return spot;
    }

    /** The node of a call that nothing comes of. */
    Spot neverRan(Spot.Call call, NodePhase last, String why) {
        Spot spot = add(call, NodeType.SKIPPED, last);
        spot.message = why;
        spot.finishedIn = fact;
        spot.finished = now;
        return spot;
    }

    void finish(Spot spot, NodePhase last, @Nullable String why, List<Spot> outbound) {
        spot.phase = last;
        spot.message = why;
        spot.outbound = outbound;
        spot.finishedIn = fact;
        spot.finished = now;
        changed = true;
    }

    /** Whether nothing new may run any more. */
    boolean shut(boolean exit) {
        return terminated() || shutdown != null && !exit;
    }

    boolean late(boolean exit) {
        Instant deadline = root.deadline();
        return !exit && (late || deadline != null && !now.isBefore(deadline));
    }

    /** Whether what is open was ended, by a stop or by the deadline. */
    boolean ended(boolean exit) {
        return shut(exit) || late && !exit;
    }

    boolean terminated() {
        return shutdown == ShutdownStrategy.TERMINATE;
    }

    String strategy() {
        return shutdown == null ? "" : shutdown.text();
    }

    String stopped() {
        return "Stopped with strategy '" + strategy() + "'";
    }
}
