package dev.millrace.workflowengine.model;

import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.NodeType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How calls become nodes, and how nodes go on. */
final class SlowCalls {
    private final SlowTree tree;
    private final SlowRetry retries;
    private final SlowSteps steps;
    private final SlowDag dags;

    SlowCalls(SlowTree tree) {
        this.tree = tree;
        this.retries = new SlowRetry(tree);
        this.steps = new SlowSteps(tree);
        this.dags = new SlowDag(tree);
    }

    /**
     * Makes the node of a call and what is below it.
     *
     * @throws Unfit if the call cannot be made
     * @throws Full if it cannot be made now
     */
    Spot execute(Spot.Call call) throws Unfit, Full {
        tree.slots.mayStart(call);
        Map<String, String> inputs = inputs(call);
        NodeType type = outer(tree, call);
        boolean locks = locks(tree, call);
        boolean pending = locks || type == NodeType.POD;
        Spot spot = tree.add(call, type, pending ? NodePhase.PENDING : NodePhase.RUNNING);
        spot.inputs = inputs;
        spot.asked = locks;
        advance(spot);
        return spot;
    }

    static boolean locks(SlowTree tree, Spot.Call call) {
        return call.template().locked()
                && !call.attempt()
                && !tree.shut(call.exit())
                && !tree.late(call.exit());
    }

    static NodeType outer(SlowTree tree, Spot.Call call) {
        return !call.attempt() && tree.retry(call.template()) != null
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
        spot.begun = tree.now;
        spot.phase = NodePhase.RUNNING;
        tree.changed();
        return false;
    }

    private void leaf(Spot spot) {
        if (spot.begun != null) {
            return;
        }
        if (tree.shut(spot.call.exit())) {
            tree.finish(
                    spot,
                    NodePhase.FAILED,
                    spot.type == NodeType.SUSPEND
                            ? tree.stopped()
                            : "workflow shutdown with strategy: " + tree.strategy(),
                    List.of());
            return;
        }
        if (tree.late(spot.call.exit())) {
            tree.finish(spot, NodePhase.FAILED, "Step exceeded its deadline", List.of());
            return;
        }
        try {
            if (spot.asked) {
                tree.slots.slot(
                        spot.name(),
                        null,
                        tree.slots.core().began(spot.name()),
                        spot.type == NodeType.POD,
                        true);
            }
        } catch (Full e) {
            return;
        }
        spot.begun = tree.now;
        spot.begunIn = tree.fact();
        if (spot.type == NodeType.SUSPEND) {
            spot.phase = NodePhase.RUNNING;
        }
        tree.changed();
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
}
