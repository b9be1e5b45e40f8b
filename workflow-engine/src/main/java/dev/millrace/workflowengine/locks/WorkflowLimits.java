package dev.millrace.workflowengine.locks;

import java.util.List;

/**
 * How many workflows run at a time. Each has a slot of the installation and one of its namespace,
 * which it asks for together with its own locks: so none takes a slot while it waits for a lock.
 *
 * @param all in the whole installation; 0 for no limit
 * @param perNamespace in each namespace; 0 for no limit
 */
public record WorkflowLimits(int all, int perNamespace) {
    public static final WorkflowLimits NONE = new WorkflowLimits(0, 0);

    /** What a workflow is told that waits for a slot: what clients of this field know. */
    static final String MESSAGE =
            "Workflow processing has been postponed because too many workflows are already running";

    private static final String ALL = "workflows";
    private static final String OF_NAMESPACE = ALL + "/";

    /** Whether there is a limit. */
    public boolean any() {
        return all > 0 || perNamespace > 0;
    }

    /**
     * The slots that a workflow needs, as names of locks. Whether there is a limit on each is for
     * those to know who grant them.
     */
    public static List<String> slots(String namespace) {
        return List.of(ALL, OF_NAMESPACE + namespace);
    }

    /** Whether this is the name of a slot; those of other locks have three parts. */
    public static boolean isSlot(String lock) {
        return lock.startsWith(ALL)
                && (lock.equals(ALL)
                        || (lock.startsWith(OF_NAMESPACE)
                                && lock.indexOf('/', OF_NAMESPACE.length()) < 0));
    }

    /** How many can have a slot of this name. */
    int most(String slot) {
        int most = slot.equals(ALL) ? all : perNamespace;
        return most == 0 ? Integer.MAX_VALUE : most;
    }
}
