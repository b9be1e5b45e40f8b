package dev.millrace.workflowengine.cron.topology;

import dev.millrace.log.DeadLetters;
import dev.millrace.log.LogConnection;
import dev.millrace.log.Partitions;
import dev.millrace.log.Topics;
import dev.millrace.log.TopicsAdmin;
import dev.millrace.log.embedded.BrokerOptions;
import dev.millrace.log.embedded.EmbeddedBroker;
import dev.millrace.log.serde.JsonSerde;
import dev.millrace.log.serde.Producers;
import dev.millrace.log.serde.Producers.Patience;
import dev.millrace.schemas.record.CronOrder;
import dev.millrace.schemas.record.WorkflowCommand;
import dev.millrace.schemas.record.WorkflowRef;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import tools.jackson.databind.JsonNode;

/** A process with a broker and a cron that dies in the middle of its first run. */
final class KilledCron {

    /** Longer than a restart takes, so that the run that is under way is the last that is due. */
    static final int PERIOD_SECONDS = 20;

    /** Where it dies. */
    enum Moment {
        /** The run is decided, and not committed. */
        BEFORE_THE_TICK_COMMITS,
        /** The workflow is submitted, and the order is not committed. */
        BEFORE_THE_ORDER_COMMITS
    }

    private KilledCron() {}

    static EmbeddedBroker broker(Path folder) {
        EmbeddedBroker broker =
                EmbeddedBroker.start(folder.resolve("broker"), BrokerOptions.DEFAULT);
        try (Admin admin =
                Admin.create(LogConnection.embedded(broker.bootstrapServers()).clientSettings())) {
            TopicsAdmin.ensure(admin, new Partitions(2));
        }
        return broker;
    }

    static CronEngine engine(
            LogConnection log,
            Path folder,
            Producer<String, byte[]> producer,
            CronMeter meter,
            Runnable submitted) {
        return CronEngine.start(
                log,
                folder.resolve("state"),
                new Submitting(producer, submitted),
                producer,
                new DeadLetters(producer, text -> text),
                meter);
    }

    /** Sends submit commands and waits for nothing. */
    private record Submitting(Producer<String, byte[]> producer, Runnable submitted)
            implements CronActions {

        @Override
        public Outcome submit(CronOrder.Submit order) {
            JsonNode workflow = order.workflow();
            String name = workflow.path("metadata").path("name").asString();
            String uid =
                    UUID.nameUUIDFromBytes(order.commandId().getBytes(StandardCharsets.UTF_8))
                            .toString();
            send(
                    name,
                    new WorkflowCommand.Submit(
                            order.commandId(),
                            order.namespace(),
                            name,
                            uid,
                            workflow,
                            workflow.path("spec"),
                            Map.of(),
                            false,
                            null,
                            null));
            submitted.run();
            return new Outcome.Started();
        }

        private void send(String name, WorkflowCommand command) {
            try {
                producer.send(
                                new ProducerRecord<>(
                                        Topics.WORKFLOW_COMMANDS,
                                        WorkflowRef.key(command.namespace(), name),
                                        JsonSerde.of(WorkflowCommand.class).encode(command)))
                        .get();
            } catch (InterruptedException | ExecutionException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void terminate(CronOrder.Terminate order) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void delete(CronOrder.Delete order) {
            throw new UnsupportedOperationException();
        }
    }

    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[0]);
        Moment moment = Moment.valueOf(args[1]);
        LogConnection log = LogConnection.embedded(broker(folder).bootstrapServers());
        Producer<String, byte[]> producer = Producers.plain(log, "killed", Patience.NEVER_GIVES_UP);
        CronMeter meter =
                new CronMeter() {
                    @Override
                    public void run(String namespace, String cron) {
                        dieIf(moment == Moment.BEFORE_THE_TICK_COMMITS);
                    }

                    @Override
                    public void skipped(String namespace, String cron, String reason) {}

                    @Override
                    public void refused(String namespace, String cron) {}
                };
        engine(
                log,
                folder,
                producer,
                meter,
                () -> dieIf(moment == Moment.BEFORE_THE_ORDER_COMMITS));
        producer.send(
                        new ProducerRecord<>(
                                Topics.MANIFESTS,
                                "CronWorkflow/ns/c",
                                JsonSerde.of(JsonNode.class)
                                        .encode(
                                                CronTopologyTest.manifest(
                                                        "@every " + PERIOD_SECONDS + "s"))))
                .get();
        Thread.currentThread().join();
    }

    /** As a kill does: no shutdown hooks, nothing is flushed. */
    private static void dieIf(boolean now) {
        if (now) {
            Runtime.getRuntime().halt(137);
        }
    }
}
