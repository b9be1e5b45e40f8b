package dev.millrace.bench.load;

import dev.millrace.executors.StepWorker;
import dev.millrace.log.DeadLetters;
import dev.millrace.log.LogConnection;
import dev.millrace.log.Partitions;
import dev.millrace.log.Sending;
import dev.millrace.log.Topics;
import dev.millrace.log.TopicsAdmin;
import dev.millrace.log.embedded.BrokerOptions;
import dev.millrace.log.embedded.EmbeddedBroker;
import dev.millrace.log.serde.JsonSerde;
import dev.millrace.log.serde.Producers;
import dev.millrace.log.serde.Producers.Patience;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.LargeSubmission;
import dev.millrace.schemas.record.WorkflowCommand;
import dev.millrace.schemas.record.WorkflowRef;
import dev.millrace.workflowengine.topology.EngineOptions;
import dev.millrace.workflowengine.topology.WorkflowEngine;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Broker, engine and an executor whose steps end at once: no API, no read model, no processes. */
record EngineAlone(
        WorkFolder folder,
        EmbeddedBroker broker,
        LogConnection log,
        Producer<String, byte[]> producer,
        WorkflowEngine engine,
        StepWorker worker)
        implements Installation {

    private static final String NAMESPACE = "default";
    private static final JsonSerde<WorkflowCommand> COMMANDS = JsonSerde.of(WorkflowCommand.class);

    static EngineAlone start() {
        WorkFolder folder = WorkFolder.create();
        EmbeddedBroker broker =
                EmbeddedBroker.start(folder.path().resolve("broker"), BrokerOptions.DEFAULT);
        LogConnection log = LogConnection.embedded(broker.bootstrapServers());
        try (Admin admin = Admin.create(log.clientSettings())) {
            TopicsAdmin.ensure(admin, Partitions.EMBEDDED);
        }
        Producer<String, byte[]> producer = Producers.plain(log, "bench", Patience.NEVER_GIVES_UP);
        WorkflowEngine engine =
                WorkflowEngine.start(log, folder.path().resolve("streams"), EngineOptions.DEFAULT);
        StepWorker worker =
                StepWorker.start(
                        log, new AtOnceExecutor(), new DeadLetters(producer, s -> s), s -> s);
        return new EngineAlone(folder, broker, log, producer, engine, worker);
    }

    /** Completes once the command is in the log. */
    @Override
    public CompletableFuture<@Nullable Void> submit(String name, String spec) {
        JsonNode tree = Json.mapper().readTree(spec);
        ObjectNode manifest = Json.object();
        manifest.put("apiVersion", "argoproj.io/v1alpha1").put("kind", "Workflow");
        manifest.putObject("metadata").put("name", name).put("namespace", NAMESPACE);
        manifest.set("spec", tree);
        WorkflowCommand command =
                new WorkflowCommand.Submit(
                        "submit-" + name,
                        NAMESPACE,
                        name,
                        "uid-" + name,
                        manifest,
                        tree,
                        Map.of(),
                        false,
                        null,
                        null);
        return CompletableFuture.allOf(
                        LargeSubmission.split(command).stream()
                                .map(
                                        part ->
                                                Sending.send(
                                                        producer,
                                                        new ProducerRecord<>(
                                                                Topics.WORKFLOW_COMMANDS,
                                                                WorkflowRef.key(NAMESPACE, name),
                                                                COMMANDS.encode(part))))
                                .toArray(CompletableFuture[]::new))
                .thenApply(_ -> null);
    }

    @Override
    public void close() {
        worker.close();
        engine.close();
        producer.close();
        broker.close();
        folder.close();
    }
}
