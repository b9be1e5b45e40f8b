package dev.millrace.schemas.record;

import dev.millrace.schemas.workflow.Template;
import org.jspecify.annotations.Nullable;

/**
 * One run of a container or script: everything that an executor needs to know.
 *
 * @param stepId identity of the run, from the workflow's uid, the node id and the run number;
 *     stable over repeats
 * @param podName the name that clients know the step by
 * @param template the template with every tag resolved
 * @param captureResult whether the last 256 KiB of standard output come back as the result
 * @param deadlineSeconds seconds that the step may run, absent for no limit
 * @param exitHandler whether it belongs to an exit handler
 * @param pods what the workflow says about the pods of its steps; null if nothing
 */
public record StepSpec(
        String stepId,
        WorkflowRef workflow,
        String nodeId,
        String nodeName,
        String podName,
        Template template,
        boolean captureResult,
        @Nullable Long deadlineSeconds,
        boolean exitHandler,
        @Nullable PodSettings pods) {

    /** Of a workflow that says nothing about its pods. */
    public StepSpec(
            String stepId,
            WorkflowRef workflow,
            String nodeId,
            String nodeName,
            String podName,
            Template template,
            boolean captureResult,
            @Nullable Long deadlineSeconds,
            boolean exitHandler) {
        this(
                stepId,
                workflow,
                nodeId,
                nodeName,
                podName,
                template,
                captureResult,
                deadlineSeconds,
                exitHandler,
                null);
    }
}
