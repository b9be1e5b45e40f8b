package dev.millrace.workflowengine.topology;

/** The keys of {@code workflow-events}. */
public final class TransitionKeys {
    private static final String REJECTED = "rejected";

    private TransitionKeys() {}

    /** {@code namespace/name/seq}. */
    static String of(String workflow, long seq) {
        return workflow + "/" + seq;
    }

    /**
     * Where the answer to a command for a workflow that does not exist stands; of several the last
     * is kept.
     */
    static String rejected(String workflow) {
        return workflow + "/" + REJECTED;
    }

    /** {@code namespace/name} of a key. */
    public static String workflow(String key) {
        int end = key.lastIndexOf('/');
        if (end <= 0) {
            throw new IllegalArgumentException("not the key of a transition: " + key);
        }
        return key.substring(0, end);
    }
}
