package dev.millrace.workflowengine.topology;

import dev.millrace.log.stream.EntityStore.Medium;
import dev.millrace.workflowengine.core.WorkflowMachine;
import java.time.Duration;

/**
 * How a {@link WorkflowEngine} runs.
 *
 * @param medium where the state lies while the process runs
 * @param threads how many threads share the partitions; more than there are partitions are idle
 * @param replicationFactor copies of the state's changelog; -1 for the broker's default
 * @param transactionalStores whether state on disk survives an unclean stop without a restore from
 *     the changelog
 * @param nodesPerTransition most nodes that one transition makes
 * @param markerKept how long the name of a deleted workflow is remembered; not shorter than
 *     activations are kept, or a late repeat of one would start its workflow again
 * @param limitedWorkflows whether only so many workflows run at a time: each asks for a slot then
 * @param meter counts what happens
 */
public record EngineOptions(
        Medium medium,
        int threads,
        int replicationFactor,
        boolean transactionalStores,
        int nodesPerTransition,
        Duration markerKept,
        boolean limitedWorkflows,
        EngineMeter meter) {

    /** On disk, with one thread, for a broker of our own or a cluster alike. */
    public static final EngineOptions DEFAULT =
            new EngineOptions(
                    Medium.ROCKSDB,
                    1,
                    -1,
                    true,
                    WorkflowMachine.DEFAULT_BUDGET,
                    Duration.ofDays(30),
                    false,
                    EngineMeter.NONE);

    public EngineOptions withMedium(Medium value) {
        return new EngineOptions(
                value,
                threads,
                replicationFactor,
                transactionalStores,
                nodesPerTransition,
                markerKept,
                limitedWorkflows,
                meter);
    }

    public EngineOptions withThreads(int value) {
        return new EngineOptions(
                medium,
                value,
                replicationFactor,
                transactionalStores,
                nodesPerTransition,
                markerKept,
                limitedWorkflows,
                meter);
    }

    public EngineOptions withReplicationFactor(int value) {
        return new EngineOptions(
                medium,
                threads,
                value,
                transactionalStores,
                nodesPerTransition,
                markerKept,
                limitedWorkflows,
                meter);
    }

    public EngineOptions withTransactionalStores(boolean value) {
        return new EngineOptions(
                medium,
                threads,
                replicationFactor,
                value,
                nodesPerTransition,
                markerKept,
                limitedWorkflows,
                meter);
    }

    public EngineOptions withMeter(EngineMeter value) {
        return new EngineOptions(
                medium,
                threads,
                replicationFactor,
                transactionalStores,
                nodesPerTransition,
                markerKept,
                limitedWorkflows,
                value);
    }

    public EngineOptions withLimitedWorkflows(boolean value) {
        return new EngineOptions(
                medium,
                threads,
                replicationFactor,
                transactionalStores,
                nodesPerTransition,
                markerKept,
                value,
                meter);
    }
}
