package dev.millrace.schemas.record;

/**
 * Names one workflow.
 *
 * @param uid identity of this incarnation; the same name may live again after a deletion
 */
public record WorkflowRef(String namespace, String name, String uid) {

    /** The key of commands, results and events: {@code namespace/name}. */
    public String key() {
        return key(namespace, name);
    }

    /** The key of a workflow by its parts. */
    public static String key(String namespace, String name) {
        return namespace + "/" + name;
    }
}
