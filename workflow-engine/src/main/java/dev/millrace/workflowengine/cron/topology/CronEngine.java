package dev.millrace.workflowengine.cron.topology;

import dev.millrace.log.DeadLetters;
import dev.millrace.log.Health;
import dev.millrace.log.LogConnection;
import dev.millrace.log.Topics;
import dev.millrace.log.plain.GroupWorker;
import dev.millrace.log.plain.WorkerOptions;
import dev.millrace.log.serde.JsonSerde;
import dev.millrace.log.serde.StreamsSettings;
import dev.millrace.log.stream.StreamsApp;
import dev.millrace.schemas.record.CronOrder;
import dev.millrace.workflowengine.cron.CronMachine;
import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.streams.Topology;

/**
 * Runs CronWorkflows: an application that decides, exactly once, and a worker that carries out what
 * it decided.
 */
public final class CronEngine implements AutoCloseable {
    /** Application and group id; part of the names of its internal topics, so it may not change. */
    public static final String APPLICATION_ID = "millrace-cron";

    /** Group of those that carry out orders. */
    static final String WORKERS = "millrace-cron-orders";

    private final StreamsApp app;
    private final GroupWorker<CronOrder> worker;

    private CronEngine(StreamsApp app, GroupWorker<CronOrder> worker) {
        this.app = app;
        this.worker = worker;
    }

    /**
     * Starts one; several of them, in several processes, share the partitions.
     *
     * @param stateDir where Streams keeps its process id; kept over restarts
     * @param producer plain, one that never gives up; stays with the caller
     * @throws org.apache.kafka.common.KafkaException if Kafka does not answer
     */
    public static CronEngine start(
            LogConnection log,
            Path stateDir,
            CronActions actions,
            Producer<String, byte[]> producer,
            DeadLetters deadLetters,
            CronMeter meter) {
        StreamsApp app =
                StreamsApp.start(
                        CronTopology.of(new CronMachine(), meter),
                        StreamsSettings.exactlyOnce(log, APPLICATION_ID, stateDir));
        GroupWorker<CronOrder> worker =
                GroupWorker.start(
                        log,
                        WORKERS,
                        List.of(Topics.CRON_ORDERS),
                        JsonSerde.of(CronOrder.class),
                        new CronOrderHandler(actions, producer),
                        deadLetters,
                        // The orders of one CronWorkflow are carried out one after the other.
                        WorkerOptions.DEFAULT.withKeyOrder(true));
        return new CronEngine(app, worker);
    }

    /** What reads and writes what, for documentation and its golden file. */
    public static Topology topology() {
        return CronTopology.of(new CronMachine(), CronMeter.NONE);
    }

    /** How deciding is doing, now. */
    public Health health() {
        return app.health();
    }

    /** How carrying out is doing, now. */
    public Health workerHealth() {
        return worker.health();
    }

    @Override
    public void close() {
        worker.close();
        app.close();
    }
}
