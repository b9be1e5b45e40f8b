package dev.millrace.workflowengine.topology;

import dev.millrace.log.LogConnection;
import dev.millrace.log.Topics;
import dev.millrace.log.serde.JsonSerde;
import dev.millrace.log.serde.Producers;
import dev.millrace.log.serde.Producers.Patience;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.StepSpec;
import dev.millrace.schemas.record.WorkflowCommand;
import dev.millrace.testkit.Await;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * A process with a broker, an engine, the locks and an executor, and workflows that compete for
 * locks while they try again, pause and wait for somebody. It waits to be killed.
 */
final class KilledLocks {
    /** Most holders at a time, by lock. */
    static final Map<String, Integer> LIMITS =
            Map.of(
                    "ns/Mutex/one",
                    1,
                    "ns/Mutex/retry",
                    1,
                    "ns/Mutex/pause",
                    1,
                    "ns/ConfigMap/limits/most",
                    2);

    private static final String MUTEX = "  synchronization: {mutexes: [{name: %s}]}\n";

    private KilledLocks() {}

    /** What runs, by name. Those called {@code suspended} wait for somebody. */
    static Map<String, String> workflows() {
        Map<String, String> all = new LinkedHashMap<>();
        String retry =
                Samples.RETRY.replace(
                        "  retryStrategy:", MUTEX.formatted("retry") + "  retryStrategy:");
        String pause =
                "entrypoint: main\ntemplates:\n- name: main\n"
                        + MUTEX.formatted("pause")
                        + "  suspend: {duration: 1s}\n";
        for (int i = 0; i < 4; i++) {
            all.put("mutex" + i, Samples.mutex("one"));
            all.put("mutex-more" + i, Samples.mutex("one"));
            all.put("loop" + i, Samples.semaphoreLoop(5));
            all.put("retry" + i, retry);
            all.put("pause" + i, pause);
            all.put("suspended" + i, Samples.SUSPEND);
        }
        return all;
    }

    /** The first two attempts fail. */
    static NodePhase result(StepSpec spec) {
        boolean early = spec.nodeName().endsWith("(0)") || spec.nodeName().endsWith("(1)");
        return early && spec.workflow().name().startsWith("retry")
                ? NodePhase.FAILED
                : NodePhase.SUCCEEDED;
    }

    /** Submits all; a repeat changes nothing. */
    static void submitAll(LogConnection log) throws Exception {
        try (Producer<String, byte[]> producer =
                Producers.plain(log, "submitter", Patience.NEVER_GIVES_UP)) {
            producer.send(
                            new ProducerRecord<>(
                                    Topics.MANIFESTS,
                                    "ConfigMap/ns/limits",
                                    "{\"data\": {\"most\": \"2\"}}"
                                            .getBytes(StandardCharsets.UTF_8)))
                    .get();
            for (Map.Entry<String, String> workflow : workflows().entrySet()) {
                WorkflowCommand submit = Samples.submit(workflow.getKey(), workflow.getValue());
                producer.send(
                                new ProducerRecord<>(
                                        Topics.WORKFLOW_COMMANDS,
                                        Samples.key(workflow.getKey()),
                                        JsonSerde.of(WorkflowCommand.class).encode(submit)))
                        .get();
            }
        }
    }

    /**
     * @param args folder, and how many locks are given back before the process says that it can be
     *     killed
     */
    public static void main(String[] args) throws Exception {
        Thread.setDefaultUncaughtExceptionHandler(
                (_, e) -> {
                    e.printStackTrace();
                    Runtime.getRuntime().halt(1);
                });
        Path folder = Path.of(args[0]);
        LogConnection log = LogConnection.embedded(KilledEngine.broker(folder).bootstrapServers());
        WorkflowEngine.start(log, folder.resolve("state"), EngineOptions.DEFAULT);
        LockService.start(log, folder.resolve("state"), 1);
        var executor = new StepsAnswered(log, KilledLocks::result);
        var held = new LocksHeld(log);
        submitAll(log);
        Await.until(
                "enough locks are given back",
                Duration.ofSeconds(60),
                () ->
                        held.released() >= Integer.parseInt(args[1])
                                && executor.answered.get() > 0
                                && !held.open().isEmpty());
        System.out.println("now");
        Thread.currentThread().join();
    }
}
