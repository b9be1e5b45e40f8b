package dev.millrace.schemas.record;

import org.jspecify.annotations.Nullable;

/**
 * Who takes locks: a workflow, or a node of it, in one run. A holder takes its locks once; what
 * comes back under the same name later is another holder.
 *
 * @param uid identity of the workflow's incarnation
 * @param nodeId the node; absent for the workflow itself
 * @param run how often the workflow had been retried
 */
public record LockHolder(
        String namespace, String name, String uid, @Nullable String nodeId, int run) {

    /**
     * The name that clients know: {@code namespace/workflow} or {@code namespace/workflow/node}.
     */
    public String key() {
        String workflow = WorkflowRef.key(namespace, name);
        return nodeId == null ? workflow : workflow + "/" + nodeId;
    }

    /** Unlike that of any other holder. */
    public String id() {
        return key() + "/" + uid + "/" + run;
    }
}
