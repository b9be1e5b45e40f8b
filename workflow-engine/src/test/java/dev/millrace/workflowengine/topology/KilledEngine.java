package dev.millrace.workflowengine.topology;

import dev.millrace.log.LogConnection;
import dev.millrace.log.Partitions;
import dev.millrace.log.Topics;
import dev.millrace.log.TopicsAdmin;
import dev.millrace.log.embedded.BrokerOptions;
import dev.millrace.log.embedded.EmbeddedBroker;
import dev.millrace.log.serde.JsonSerde;
import dev.millrace.log.serde.Producers;
import dev.millrace.log.serde.Producers.Patience;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.WorkflowCommand;
import dev.millrace.testkit.Await;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * A process with a broker, an engine and an executor, and 50 workflows of which half cannot end,
 * that waits to be killed.
 */
final class KilledEngine {
    static final int WORKFLOWS = 50;

    private KilledEngine() {}

    static EmbeddedBroker broker(Path folder) {
        EmbeddedBroker broker =
                EmbeddedBroker.start(folder.resolve("broker"), BrokerOptions.DEFAULT);
        try (Admin admin =
                Admin.create(LogConnection.embedded(broker.bootstrapServers()).clientSettings())) {
            TopicsAdmin.ensure(admin, new Partitions(2));
        }
        return broker;
    }

    public static void main(String[] args) throws Exception {
        Thread.setDefaultUncaughtExceptionHandler(
                (_, e) -> {
                    e.printStackTrace();
                    Runtime.getRuntime().halt(1);
                });
        Path folder = Path.of(args[0]);
        LogConnection log = LogConnection.embedded(broker(folder).bootstrapServers());
        WorkflowEngine.start(log, folder.resolve("state"), EngineOptions.DEFAULT);
        var executor =
                new StepsAnswered(
                        log,
                        spec ->
                                spec.nodeName().endsWith(".D")
                                                && number(spec.workflow().name()) % 2 == 0
                                        ? null
                                        : NodePhase.SUCCEEDED);
        Producer<String, byte[]> producer =
                Producers.plain(log, "submitter", Patience.NEVER_GIVES_UP);
        for (int i = 0; i < WORKFLOWS; i++) {
            WorkflowCommand submit = Samples.submit("wf" + i, Samples.DIAMOND);
            producer.send(
                            new ProducerRecord<>(
                                    Topics.WORKFLOW_COMMANDS,
                                    Samples.key("wf" + i),
                                    JsonSerde.of(WorkflowCommand.class).encode(submit)))
                    .get();
        }
        Await.until(
                "half of the steps are answered",
                Duration.ofSeconds(60),
                () -> executor.answered.get() > 2 * WORKFLOWS);
        System.out.println("half");
        Thread.currentThread().join();
    }

    private static int number(String workflow) {
        return Integer.parseInt(workflow.substring(2));
    }
}
