package dev.millrace.workflowengine.cron.topology;

import dev.millrace.log.Topics;
import dev.millrace.log.serde.JsonSerde;
import dev.millrace.schemas.record.CronInput;
import dev.millrace.schemas.record.CronOrder;
import dev.millrace.schemas.record.DeadLetter;
import dev.millrace.schemas.record.StatusRecord;
import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.schemas.record.WorkflowPhase;
import dev.millrace.schemas.record.WorkflowTransition;
import dev.millrace.workflowengine.cron.CronMachine;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TopologyTestDriver;
import tools.jackson.databind.JsonNode;

/** The topology without a broker, with a clock that stands still. */
final class CronDriver implements AutoCloseable, CronMeter {
    final List<CronOrder> orders = new ArrayList<>();

    /** By key, as compaction keeps them. */
    final Map<String, StatusRecord> statuses = new LinkedHashMap<>();

    final List<DeadLetter> deadLetters = new ArrayList<>();
    final Map<String, Integer> counted = new HashMap<>();
    private final TopologyTestDriver driver;
    private Instant clock = Instant.parse("2026-01-05T12:00:30Z");
    private long seq;

    CronDriver() {
        Properties properties = new Properties();
        properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "cron");
        properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "none:1");
        driver =
                new TopologyTestDriver(CronTopology.of(new CronMachine(), this), properties, clock);
    }

    @SuppressWarnings("NullAway") // a tombstone
    void put(String name, JsonNode manifest) {
        send(
                Topics.MANIFESTS,
                "CronWorkflow/ns/" + name,
                manifest == null ? null : JsonSerde.of(JsonNode.class).encode(manifest));
    }

    void input(String key, CronInput input) {
        send(Topics.CRON_INPUTS, key, JsonSerde.of(CronInput.class).encode(input));
    }

    /** The workflow of an order is accepted. */
    void start(CronOrder.Submit order) {
        String name = order.workflow().path("metadata").path("name").asString();
        transition(
                name,
                new WorkflowEvent.Submitted(
                        order.commandId(),
                        "uid-" + name,
                        clock,
                        order.workflow(),
                        order.workflow().path("spec"),
                        Map.of(),
                        false,
                        null,
                        null));
    }

    void finish(String workflow, WorkflowPhase phase) {
        transition(workflow, new WorkflowEvent.Finished(phase, null, clock));
    }

    void transition(String workflow, WorkflowEvent event) {
        WorkflowTransition transition =
                new WorkflowTransition(
                        "ns", workflow, "uid-" + workflow, ++seq, clock, List.of(event));
        send(
                Topics.WORKFLOW_EVENTS,
                "ns/" + workflow + "/" + seq,
                JsonSerde.of(WorkflowTransition.class).encode(transition));
    }

    void send(String topic, String key, byte[] value) {
        driver.createInputTopic(topic, new StringSerializer(), new ByteArraySerializer())
                .pipeInput(key, value, clock);
        collect();
    }

    /** Time goes by; the timer fires once, late if the time is long. */
    void pass(Duration time) {
        clock = clock.plus(time);
        driver.advanceWallClockTime(time);
        collect();
    }

    List<String> runs() {
        return orders.stream()
                .filter(CronOrder.Submit.class::isInstance)
                .map(o -> ((CronOrder.Submit) o).scheduledTime().toString())
                .toList();
    }

    private void collect() {
        orders.addAll(
                driver.createOutputTopic(
                                Topics.CRON_ORDERS,
                                new StringDeserializer(),
                                JsonSerde.of(CronOrder.class).deserializer())
                        .readValuesToList());
        driver.createOutputTopic(
                        Topics.STATUS,
                        new StringDeserializer(),
                        JsonSerde.of(StatusRecord.class).deserializer())
                .readKeyValuesToList()
                .forEach(
                        r -> {
                            if (r.value == null) {
                                statuses.remove(r.key);
                            } else {
                                statuses.put(r.key, r.value);
                            }
                        });
        deadLetters.addAll(
                driver.createOutputTopic(
                                Topics.DEAD_LETTERS,
                                new StringDeserializer(),
                                JsonSerde.of(DeadLetter.class).deserializer())
                        .readValuesToList());
    }

    @Override
    public void run(String namespace, String cron) {
        counted.merge("run", 1, Integer::sum);
    }

    @Override
    public void skipped(String namespace, String cron, String reason) {
        counted.merge("skipped " + reason, 1, Integer::sum);
    }

    @Override
    public void refused(String namespace, String cron) {
        counted.merge("refused", 1, Integer::sum);
    }

    @Override
    public void close() {
        driver.close();
    }
}
