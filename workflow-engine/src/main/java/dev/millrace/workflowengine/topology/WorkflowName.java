package dev.millrace.workflowengine.topology;

/** The two parts of a workflow's key. */
record WorkflowName(String namespace, String name) {

    /**
     * @param entity {@code namespace/name}
     */
    static WorkflowName of(String entity) {
        int slash = entity.indexOf('/');
        if (slash <= 0 || slash == entity.length() - 1) {
            throw new MisaddressedException("the key " + entity + " is not namespace/name");
        }
        return new WorkflowName(entity.substring(0, slash), entity.substring(slash + 1));
    }
}
