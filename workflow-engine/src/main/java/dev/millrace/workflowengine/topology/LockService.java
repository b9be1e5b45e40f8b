package dev.millrace.workflowengine.topology;

import dev.millrace.log.Health;
import dev.millrace.log.LogConnection;
import dev.millrace.log.serde.StreamsSettings;
import dev.millrace.log.stream.StreamsApp;
import dev.millrace.workflowengine.locks.WorkflowLimits;
import java.nio.file.Path;
import org.apache.kafka.streams.Topology;

/** Grants the locks of workflows: reads requests and limits, and writes answers. */
public final class LockService implements AutoCloseable {
    /** Name of the application, of its consumer group and, as a prefix, of its changelog. */
    public static final String APPLICATION_ID = "millrace-locks";

    private final StreamsApp app;

    private LockService(StreamsApp app) {
        this.app = app;
    }

    /**
     * Starts the locks without limits on workflows.
     *
     * @see #start(LogConnection, Path, int, WorkflowLimits)
     */
    public static LockService start(LogConnection log, Path stateDir, int replicationFactor) {
        return start(log, stateDir, replicationFactor, WorkflowLimits.NONE);
    }

    /**
     * Starts the locks; of several processes one works, and another takes over when it goes. The
     * topics must exist.
     *
     * @param stateDir where Streams keeps its process id; kept over restarts
     * @param replicationFactor copies of the state's changelog; -1 for the broker's default
     * @param limits how many workflows run; lower ones than before end none
     * @throws org.apache.kafka.common.KafkaException if Kafka does not answer
     */
    public static LockService start(
            LogConnection log, Path stateDir, int replicationFactor, WorkflowLimits limits) {
        return new LockService(
                StreamsApp.start(
                        LockTopology.topology(limits),
                        StreamsSettings.exactlyOnce(log, APPLICATION_ID, stateDir)
                                .replicationFactor(replicationFactor)));
    }

    /** What reads and writes what, for documentation and its golden file. */
    public static Topology topology() {
        return LockTopology.topology(WorkflowLimits.NONE);
    }

    /** How it is doing, now. */
    public Health health() {
        return app.health();
    }

    /** Commits and stops; waits 10 s at most. */
    @Override
    public void close() {
        app.close();
    }
}
