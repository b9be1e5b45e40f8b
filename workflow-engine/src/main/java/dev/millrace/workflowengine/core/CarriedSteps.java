package dev.millrace.workflowengine.core;

import dev.millrace.schemas.record.Carried;
import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.NodeType;

/**
 * Steps that an earlier workflow did (a memoized resubmit): they are skipped and give what they
 * gave.
 */
final class CarriedSteps {

    private CarriedSteps() {}

    /**
     * Makes the node of a call whose step need not run.
     *
     * @return whether it need not
     */
    static boolean skip(Transition t, Call call, Called called) {
        if (t.source().carried().isEmpty()
                || call.exitHandler()
                || Calls.type(called) != NodeType.POD) {
            return false;
        }
        Carried carried = t.source().carried().get(call.name().substring(t.name().length()));
        if (carried == null) {
            return false;
        }
        Node node =
                Calls.node(
                                t,
                                call,
                                NodeType.SKIPPED,
                                NodePhase.SKIPPED,
                                "original pod: " + carried.podName(),
                                called,
                                null)
                        .withOutputs(carried.outputs());
        t.add(node, call.parents());
        Endings.export(t, node);
        Endings.fulfilled(t, node);
        return true;
    }
}
