package dev.millrace.workflowengine.submission;

import dev.millrace.schemas.record.Carried;
import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.NodeType;
import dev.millrace.schemas.record.WorkflowHead;
import dev.millrace.workflowengine.core.NodeNames;
import dev.millrace.workflowengine.state.WorkflowState;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The steps of a workflow that a memoized resubmit need not run again. */
public final class DoneSteps {

    private DoneSteps() {}

    /**
     * Steps that succeeded and whose artifacts are still there, by node name without the
     * workflow's; those that the workflow carried itself are among them. An attempt counts as the
     * first one of its node. Exit handlers are left out: they run for each workflow.
     */
    public static Map<String, Carried> of(WorkflowState workflow) {
        WorkflowHead head = workflow.head();
        if (head == null) {
            throw new IllegalArgumentException("the workflow does not exist");
        }
        Map<String, Carried> done = new TreeMap<>();
        for (String id : workflow.nodes()) {
            Node node = workflow.node(id);
            if (node == null || node.exitHandler()) {
                continue;
            }
            String name = node.name().substring(head.name().length());
            if (node.attempt()) {
                name = name.replaceFirst("\\(\\d+\\)$", "(0)");
            }
            if (node.type() == NodeType.POD
                    && node.phase() == NodePhase.SUCCEEDED
                    && !emptied(node)) {
                done.put(name, new Carried(NodeNames.podName(head.name(), node), node.outputs()));
            } else if (node.type() == NodeType.SKIPPED && node.phase() == NodePhase.SKIPPED) {
                Carried again = carried(workflow, name);
                if (again != null) {
                    done.put(name, again);
                }
            }
        }
        return done;
    }

    /** Whether something that it stored is gone, its logs aside. */
    private static boolean emptied(Node node) {
        return node.outputs() != null
                && node.outputs().artifacts().stream()
                        .anyMatch(
                                a ->
                                        Boolean.TRUE.equals(a.deleted())
                                                && !Boolean.TRUE.equals(a.archiveLogs()));
    }

    private static @Nullable Carried carried(WorkflowState workflow, String name) {
        return workflow.source() == null ? null : workflow.source().carried().get(name);
    }
}
