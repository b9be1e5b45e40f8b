package dev.millrace.executors.artifact;

/** Asked between the pieces of a transfer whether it is still wanted. */
@FunctionalInterface
public interface Cancellation {
    /** Never cancelled. */
    Cancellation NONE = () -> {};

    /**
     * Returns if the transfer is to go on.
     *
     * @throws ArtifactException if it is not
     */
    void check() throws ArtifactException;
}
