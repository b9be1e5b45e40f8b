package dev.millrace.workflowengine.topology;

import dev.millrace.log.Health;
import dev.millrace.log.LogConnection;
import dev.millrace.log.serde.StreamsSettings;
import dev.millrace.log.stream.StreamsApp;
import dev.millrace.workflowengine.core.WorkflowMachine;
import java.nio.file.Path;
import org.apache.kafka.streams.Topology;

/**
 * Runs workflows: reads commands and step results, and writes what happens and which steps are to
 * run.
 */
public final class WorkflowEngine implements AutoCloseable {
    /** Name of the application, of its consumer group and, as a prefix, of its changelog. */
    public static final String APPLICATION_ID = "millrace-workflow-engine";

    private final StreamsApp app;

    private WorkflowEngine(StreamsApp app) {
        this.app = app;
    }

    /**
     * Starts an engine; several of them, in several processes, share the partitions. The topics
     * must exist, and those of commands and results must have the same partition count.
     *
     * @param stateDir where the state lies; kept over restarts
     * @throws org.apache.kafka.common.KafkaException if Kafka does not answer
     */
    public static WorkflowEngine start(LogConnection log, Path stateDir, EngineOptions options) {
        return start(log, stateDir, options, core(options));
    }

    /** As {@link #start(LogConnection, Path, EngineOptions)}, with another core. */
    static WorkflowEngine start(
            LogConnection log, Path stateDir, EngineOptions options, Decisions core) {
        return new WorkflowEngine(
                StreamsApp.start(
                        EngineTopology.of(core, options), settings(log, stateDir, options)));
    }

    /** What reads and writes what, for documentation and its golden file. */
    public static Topology topology(EngineOptions options) {
        return EngineTopology.of(core(options), options);
    }

    private static Decisions core(EngineOptions options) {
        return new WorkflowMachine(options.nodesPerTransition(), options.limitedWorkflows())
                ::decide;
    }

    private static StreamsSettings settings(
            LogConnection log, Path stateDir, EngineOptions options) {
        return StreamsSettings.exactlyOnce(log, APPLICATION_ID, stateDir)
                .commitsWhenAsked()
                .threads(options.threads())
                .replicationFactor(options.replicationFactor())
                .transactionalStores(options.transactionalStores());
    }

    /** How it is doing, now. */
    public Health health() {
        return app.health();
    }

    /** Records that wait to be read, as far as the consumers of this process know. */
    public long lag() {
        return app.streams().metrics().entrySet().stream()
                .filter(
                        m ->
                                m.getKey().name().equals("records-lag")
                                        && m.getKey()
                                                .group()
                                                .equals("consumer-fetch-manager-metrics")
                                        && !m.getKey()
                                                .tags()
                                                .getOrDefault("client-id", "")
                                                .contains("restore"))
                .map(m -> m.getValue().metricValue())
                .mapToLong(v -> v instanceof Double d && !d.isNaN() ? d.longValue() : 0)
                .sum();
    }

    /**
     * Commits and stops; waits 10 s at most. What was taken up is done or will be taken up again.
     */
    @Override
    public void close() {
        app.close();
    }
}
