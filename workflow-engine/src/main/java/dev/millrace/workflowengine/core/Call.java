package dev.millrace.workflowengine.core;

import dev.millrace.schemas.record.NodeFlag;
import dev.millrace.schemas.workflow.Arguments;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A template is to be called: the node that this makes, and where it belongs.
 *
 * @param name full name of the node
 * @param boundaryId the enclosing Steps or DAG node
 * @param ownerId the node that waits for it
 * @param call declared name of the step, task or hook
 * @param scope template scope of the caller
 * @param parents nodes below which it hangs
 * @param depth number of templates around it
 */
record Call(
        String name,
        @Nullable String boundaryId,
        @Nullable String ownerId,
        @Nullable String call,
        TemplateUse use,
        String scope,
        Arguments arguments,
        @Nullable NodeFlag flag,
        List<String> parents,
        int depth,
        boolean exitHandler) {

    /** The same call with other arguments. */
    Call with(Arguments arguments) {
        return new Call(
                name,
                boundaryId,
                ownerId,
                call,
                use,
                scope,
                arguments,
                flag,
                parents,
                depth,
                exitHandler);
    }
}
