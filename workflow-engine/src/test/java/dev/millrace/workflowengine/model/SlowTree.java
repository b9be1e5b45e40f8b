package dev.millrace.workflowengine.model;

import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.NodeType;
import dev.millrace.schemas.record.ShutdownStrategy;
import dev.millrace.schemas.record.StepOutcome;
import dev.millrace.schemas.record.WorkflowPhase;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
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
 *
 * <p>Where several calls want fewer slots than they are, any of them may be the first. The core is
 * asked which it let begin; what it did not is held back, but not if a slot is left then.
 */
final class SlowTree {
    static final String NAME = "wf";
    static final String FAIL_FAST = "template has failed or errored children and failFast enabled";

    private static final String FAILS = " fails before ";

    final Flow flow;
    private final Map<String, Spot> spots = new LinkedHashMap<>();
    private final SlowRetry retries = new SlowRetry(this);
    private final SlowSteps steps = new SlowSteps(this);
    private final SlowDag dags = new SlowDag(this);
    private final Set<String> forced = new HashSet<>();
    private final List<String> postponed = new ArrayList<>();
    private @Nullable Precedence core;
    private boolean changed;
    private int fact;
    Instant now;
    private @Nullable Instant started;
    private @Nullable ShutdownStrategy shutdown;
    private boolean late;
    private boolean locked;
    private WorkflowPhase phase = WorkflowPhase.PENDING;

    /** The phase that hooks and the exit handler of the workflow see. */
    private WorkflowPhase seen = WorkflowPhase.RUNNING;

    private @Nullable String message;

    SlowTree(Flow flow, Instant now) {
        this.flow = flow;
        this.now = now;
        this.locked = !flow.mutexes().isEmpty();
    }

    // Facts.

    void next(Instant instant) {
        now = instant;
        fact++;
        forced.clear();
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
            locked = false;
        } else {
            get(name).granted = true;
            get(name).message = null;
        }
    }

    void awaited(@Nullable String name, String why) {
        if (name == null) {
            message = why;
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
        if (locked) {
            phase = WorkflowPhase.FAILED;
            message = stopped();
        }
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

    Precedence core() {
        return Objects.requireNonNull(core);
    }

    // What stands.

    Collection<Spot> spots() {
        return spots.values();
    }

    WorkflowPhase phase() {
        return phase;
    }

    @Nullable String message() {
        return message;
    }

    boolean done() {
        return phase.finished();
    }

    @Nullable Spot find(String name) {
        return spots.get(name);
    }

    Spot get(String name) {
        return Objects.requireNonNull(spots.get(name), name);
    }

    @Nullable Instant deadline() {
        return started == null || flow.deadline() == 0
                ? null
                : started.truncatedTo(ChronoUnit.SECONDS).plusSeconds(flow.deadline());
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
        this.core = core;
        while (true) {
            do {
                changed = false;
                postponed.clear();
                pass();
            } while (changed);
            if (postponed.isEmpty()) {
                return;
            }
            // Who fails at once says who of the others there is, and then who wants a slot.
            forced.add(
                    postponed.stream()
                            .filter(p -> p.contains(FAILS))
                            .findFirst()
                            .orElse(postponed.getFirst()));
        }
    }

    private void pass() {
        if (done() || locked) {
            return;
        }
        if (started == null) {
            started = now;
            phase = WorkflowPhase.RUNNING;
            message = null;
        }
        Map<String, @Nullable String> arguments = new LinkedHashMap<>(flow.arguments());
        Spot root = spots.get(NAME);
        try {
            if (root == null) {
                root = execute(call(NAME, flow.entry(), arguments, false, false));
            } else {
                advance(root);
            }
        } catch (Unfit e) {
            end(WorkflowPhase.ERROR, "error in entry template execution: " + e.text());
            return;
        } catch (Full e) {
            return;
        }
        Map<String, Flow.Hook> hooks = new LinkedHashMap<>(flow.hooks());
        Flow.Hook exit = hooks.remove(Flow.EXIT);
        if (root.fulfilled()) {
            seen =
                    switch (root.phase) {
                        case FAILED -> WorkflowPhase.FAILED;
                        case ERROR -> WorkflowPhase.ERROR;
                        default -> WorkflowPhase.SUCCEEDED;
                    };
        }
        boolean quiet = hooks(root, hooks, new SlowScope(this, null, null, null), seen.text());
        if (!root.fulfilled() || !quiet) {
            return;
        }
        WorkflowPhase last = seen;
        String why = root.failed() && shutdown != null ? stopped() : root.message;
        if (exit != null && shutdown != ShutdownStrategy.TERMINATE || find(exitName()) != null) {
            Spot spot = exit(exit, arguments);
            if (spot == null || !spot.fulfilled()) {
                return;
            }
            if (last == WorkflowPhase.SUCCEEDED && spot.failed()) {
                last = spot.phase == NodePhase.FAILED ? WorkflowPhase.FAILED : WorkflowPhase.ERROR;
                why = spot.message;
            }
        }
        end(last, why);
    }

    private static String exitName() {
        return NAME + ".onExit";
    }

    private @Nullable Spot exit(Flow.Hook exit, Map<String, @Nullable String> arguments) {
        Spot known = find(exitName());
        Spot.Call call = call(exitName(), exit.template(), arguments, true, true);
        try {
            if (known == null) {
                return execute(call);
            }
            advance(known);
            return known;
        } catch (Full e) {
            return null;
        } catch (Unfit e) {
            return neverRan(
                    call, NodePhase.ERROR, "error in exit template execution : " + e.text());
        }
    }

    private void end(WorkflowPhase last, @Nullable String why) {
        phase = last;
        message = why;
    }

    private static Spot.Call call(
            String name,
            Flow.Template template,
            Map<String, @Nullable String> arguments,
            boolean hooked,
            boolean exit) {
        return new Spot.Call(
                name, template, false, arguments, null, null, hooked, false, exit, List.of());
    }

    /**
     * Makes the node of a call and what is below it.
     *
     * @throws Unfit if the call cannot be made
     * @throws Full if it cannot be made now
     */
    Spot execute(Spot.Call call) throws Unfit, Full {
        mayStart(call);
        Map<String, String> inputs = inputs(call);
        NodeType type = outer(call);
        boolean locks = locks(call);
        boolean pending = locks || type == NodeType.POD;
        Spot spot = add(call, type, pending ? NodePhase.PENDING : NodePhase.RUNNING);
        spot.inputs = inputs;
        spot.asked = locks;
        advance(spot);
        return spot;
    }

    private boolean locks(Spot.Call call) {
        return call.template().locked()
                && !call.attempt()
                && !shut(call.exit())
                && !late(call.exit());
    }

    private NodeType outer(Spot.Call call) {
        return !call.attempt() && retry(call.template()) != null
                ? NodeType.RETRY
                : type(call.template());
    }

    private static NodeType type(Flow.Template template) {
        return switch (template.body()) {
            case Flow.Leaf _ -> NodeType.POD;
            case Flow.Pause _ -> NodeType.SUSPEND;
            case Flow.Steps _ -> NodeType.STEPS;
            case Flow.Dag _ -> NodeType.DAG;
        };
    }

    /** Goes on with a node that there is. */
    void advance(Spot spot) {
        if (spot.fulfilled() || spot.waitsForLocks()) {
            return;
        }
        switch (spot.type) {
            case RETRY -> {
                begin(spot);
                try {
                    retries.advance(spot);
                } catch (Full e) {
                    // The attempt comes later.
                }
            }
            case STEPS -> {
                if (begin(spot)) {
                    steps.advance(spot);
                }
            }
            case DAG -> {
                if (begin(spot)) {
                    dags.advance(spot);
                }
            }
            case POD, SUSPEND -> leaf(spot);
            case SKIPPED, STEP_GROUP, TASK_GROUP, CONTAINER, HTTP, PLUGIN -> {}
        }
    }

    /** Whether it had begun before: its hooks see it run before anything in it does. */
    private boolean begin(Spot spot) {
        if (spot.begun != null) {
            return true;
        }
        spot.begun = now;
        spot.phase = NodePhase.RUNNING;
        changed = true;
        return false;
    }

    private void leaf(Spot spot) {
        if (spot.begun != null) {
            return;
        }
        if (shut(spot.call.exit())) {
            finish(
                    spot,
                    NodePhase.FAILED,
                    spot.type == NodeType.SUSPEND
                            ? stopped()
                            : "workflow shutdown with strategy: "
                                    + Objects.requireNonNull(shutdown).text(),
                    List.of());
            return;
        }
        if (late(spot.call.exit())) {
            finish(spot, NodePhase.FAILED, "Step exceeded its deadline", List.of());
            return;
        }
        try {
            if (spot.asked) {
                slot(spot.name(), null, core().began(spot.name()), spot.type == NodeType.POD, true);
            }
        } catch (Full e) {
            return;
        }
        spot.begun = now;
        spot.begunIn = fact;
        if (spot.type == NodeType.SUSPEND) {
            spot.phase = NodePhase.RUNNING;
        }
        changed = true;
    }

    private Map<String, String> inputs(Spot.Call call) throws Unfit {
        Map<String, String> inputs = new LinkedHashMap<>();
        for (Flow.Input in : call.template().inputs()) {
            String value = call.arguments().get(in.name());
            if (value == null) {
                value = in.byDefault();
            }
            if (value == null) {
                throw new Unfit(
                        "inputs.parameters."
                                + in.name()
                                + (call.arguments().containsKey(in.name())
                                        ? ": argument references an absent optional (skipped/omitted node output with no default)"
                                        : " was not supplied"));
            }
            inputs.put(in.name(), value);
        }
        return inputs;
    }

    /**
     * What takes no slot itself (a group, a pause, what waits for locks or fails at once) needs one
     * that is free all the same. It may have been there before what took the last one in the same
     * instant.
     *
     * @throws Full if there is no slot for a call
     */
    void mayStart(Spot.Call call) throws Full {
        NodeType type = outer(call);
        boolean leaf = type == NodeType.POD && !shut(call.exit()) && !late(call.exit());
        boolean pod = leaf && !locks(call);
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

    private void slot(
            String name, @Nullable Spot boundary, boolean chosen, boolean pod, boolean counts)
            throws Full {
        int most = boundary == null ? 0 : boundary.template().parallelism();
        if (flow.parallelism() == 0 && most == 0) {
            return;
        }
        boolean allowed =
                free(flow.parallelism(), activePods(pod))
                        && free(most, active(boundary, counts, false));
        if (allowed && (chosen || forced.contains(name))) {
            return;
        }
        if (free(flow.parallelism(), activePods(true))
                && free(most, active(boundary, true, true))) {
            postponed.add(name);
        }
        throw new Full();
    }

    /** Whether there is a slot now in a Steps or DAG node. */
    boolean hasSlot(Spot boundary) {
        return free(flow.parallelism(), activePods(true))
                && free(boundary.template().parallelism(), active(boundary, true, true));
    }

    private static boolean free(int most, long taken) {
        return most == 0 || taken < most;
    }

    private long activePods(boolean now) {
        return spots.values().stream()
                .filter(s -> s.type == NodeType.POD && s.begun != null && !s.fulfilled())
                .filter(s -> now || s.begunIn < fact)
                .count();
    }

    private long active(@Nullable Spot boundary, boolean now, boolean holding) {
        return spots.values().stream()
                .filter(s -> s.boundary() == boundary && !s.fulfilled())
                .filter(
                        s ->
                                s.type == NodeType.POD
                                        || s.type == NodeType.STEPS
                                        || s.type == NodeType.DAG)
                .filter(s -> s.madeIn < fact || now && (holding || !holds(s.call)))
                .count();
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
        return shutdown == ShutdownStrategy.TERMINATE || shutdown != null && !exit;
    }

    boolean late(boolean exit) {
        Instant deadline = deadline();
        return !exit && (late || deadline != null && !now.isBefore(deadline));
    }

    /** Whether what is open was ended, by a stop or by the deadline. */
    boolean ended(boolean exit) {
        return shut(exit) || late && !exit;
    }

    String stopped() {
        return "Stopped with strategy '" + (shutdown == null ? "" : shutdown.text()) + "'";
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
            return spots.values().stream()
                    .anyMatch(s -> s.boundary() == boundary && s.failed() && s.finishedIn < fact);
        }
        if (!troubled(boundary) && !forced.contains(boundary.name() + FAILS + name)) {
            postponed.add(boundary.name() + FAILS + name);
            return true;
        }
        return troubled(boundary);
    }

    /** Whether anything directly in a Steps or DAG node has failed. */
    boolean troubled(Spot boundary) {
        return spots.values().stream().anyMatch(s -> s.boundary() == boundary && s.failed());
    }

    /**
     * Starts the hooks of a node whose time has come and goes on with those that there are.
     *
     * @param status what the expressions of the hooks look at
     * @return whether they are done
     */
    boolean hooks(Spot spot, Map<String, Flow.Hook> hooks, SlowScope scope, String status) {
        boolean quiet = true;
        // Those that begin at the same instant have no order; followers hang below the last one.
        List<Map.Entry<String, Flow.Hook>> inOrder = new ArrayList<>(hooks.entrySet());
        inOrder.sort(
                Comparator.comparingInt(
                        e -> core().place(spot.name(), hookName(spot, e.getKey()))));
        for (Map.Entry<String, Flow.Hook> e : inOrder) {
            boolean exit = e.getKey().equals(Flow.EXIT);
            String name = hookName(spot, e.getKey());
            Spot known = find(name);
            if (known != null) {
                advance(known);
                quiet &= known.fulfilled();
            } else if (wanted(spot, e.getKey(), e.getValue(), status)) {
                // It is started once its condition was true, even if there is a slot only later.
                spot.owed.add(e.getKey());
                quiet &= hook(spot, e.getValue(), name, exit, scope);
            }
        }
        spot.quiet = quiet;
        return quiet;
    }

    private static String hookName(Spot spot, String hook) {
        return spot.name() + (hook.equals(Flow.EXIT) ? ".onExit" : ".hooks." + hook);
    }

    private boolean wanted(Spot spot, String name, Flow.Hook hook, String status) {
        Spot boundary = spot.boundary();
        if (name.equals(Flow.EXIT)) {
            boolean completed = spot.phase == NodePhase.SUCCEEDED || spot.failed();
            if (!completed || shutdown == ShutdownStrategy.TERMINATE) {
                return false;
            }
        } else if (boundary != null && boundary.type == NodeType.DAG) {
            // Of a task they are hooks of the task as a whole, and not before it runs.
            boolean item =
                    spot.call.parents().stream()
                            .anyMatch(
                                    p ->
                                            p.type == NodeType.TASK_GROUP
                                                    && p.call.member() == spot.call.member());
            if (item || spot.phase == NodePhase.PENDING) {
                return false;
            }
        }
        Flow.Status wanted = hook.status();
        return spot.owed.contains(name)
                || wanted == null
                || wanted.status().equals(status) == wanted.equal();
    }

    private boolean hook(Spot spot, Flow.Hook hook, String name, boolean exit, SlowScope scope) {
        boolean late = spot.type == NodeType.DAG && !spot.fulfilled() && core().ended(spot.name());
        if (late && !core().ended(name)) {
            // A DAG waits for the hooks that it has, so this one came after its end.
            return false;
        }
        Map<String, @Nullable String> arguments = new LinkedHashMap<>();
        String unfit = null;
        try {
            if (hook.arguments() != null) {
                arguments.putAll(scope.arguments(hook.arguments()));
            } else if (exit) {
                arguments.putAll(flow.arguments());
            }
        } catch (Unfit e) {
            unfit = e.text();
        }
        Spot.Call call =
                new Spot.Call(
                        name,
                        hook.template(),
                        false,
                        arguments,
                        spot.boundary(),
                        null,
                        true,
                        false,
                        exit || spot.call.exit(),
                        List.of(spot));
        if (unfit != null) {
            neverRan(call, NodePhase.ERROR, unfit);
            return true;
        }
        try {
            return execute(call).fulfilled();
        } catch (Unfit e) {
            neverRan(call, NodePhase.ERROR, e.text());
            return true;
        } catch (Full e) {
            return false;
        }
    }
}
