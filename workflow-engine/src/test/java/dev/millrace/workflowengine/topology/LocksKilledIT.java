package dev.millrace.workflowengine.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.log.LogConnection;
import dev.millrace.log.Topics;
import dev.millrace.log.embedded.EmbeddedBroker;
import dev.millrace.log.serde.JsonSerde;
import dev.millrace.log.serde.Producers;
import dev.millrace.log.serde.Producers.Patience;
import dev.millrace.schemas.record.WorkflowCommand;
import dev.millrace.schemas.record.WorkflowPhase;
import dev.millrace.schemas.record.WorkflowStage;
import dev.millrace.testkit.Await;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that is killed with locks, timers, retries and pauses in flight. */
class LocksKilledIT {
    @TempDir Path folder;

    @Test
    void afterKillsNoLockIsLostOrHeldForEverAndNoTimerIsForgotten() throws Exception {
        KilledProcess.runUntil("now", KilledLocks.class, folder.toString(), "5");
        KilledProcess.runUntil("now", KilledLocks.class, folder.toString(), "16");
        try (EmbeddedBroker broker = KilledEngine.broker(folder)) {
            LogConnection log = LogConnection.embedded(broker.bootstrapServers());
            try (var seen = new WorkflowsSeen(log);
                    var held = new LocksHeld(log);
                    var executor = new StepsAnswered(log, KilledLocks::result);
                    var locks = LockService.start(log, folder.resolve("state"), 1);
                    var engine =
                            WorkflowEngine.start(
                                    log, folder.resolve("state"), EngineOptions.DEFAULT)) {
                for (int i = 0; i < 4; i++) {
                    resume(log, seen, "suspended" + i);
                }
                Await.asserted(
                        Duration.ofMinutes(3),
                        () ->
                                assertThat(unfinished(seen))
                                        .as(
                                                "unfinished; engine %s, locks %s, held by %s",
                                                engine.health(), locks.health(), held.open())
                                        .isEmpty());
                assertThat(held.open()).as("held for ever").isEmpty();
                assertThat(held.waited()).as("there was something to wait for").isPositive();
                KilledLocks.LIMITS.forEach(
                        (lock, most) -> assertThat(held.most(lock)).as(lock).isBetween(1, most));
                assertThat(seen.faults()).isEmpty();
                assertThat(executor.requested.entrySet().stream().filter(e -> e.getValue() != 1))
                        .isEmpty();
                nobodyHoldsAnything(log, seen);
            }
        }
    }

    /** Whoever comes now gets each lock. */
    private static void nobodyHoldsAnything(LogConnection log, WorkflowsSeen seen) {
        send(log, Samples.submit("last1", Samples.mutex("one")));
        send(log, Samples.submit("last2", Samples.mutex("retry")));
        send(log, Samples.submit("last3", Samples.mutex("pause")));
        send(log, Samples.submit("last4", Samples.semaphoreLoop(2)));
        for (int i = 1; i <= 4; i++) {
            String name = "last" + i;
            Await.until(name, Duration.ofSeconds(30), () -> succeeded(seen, name));
        }
    }

    private static void resume(LogConnection log, WorkflowsSeen seen, String name) {
        Await.until(name + " waits for somebody", () -> seen.nodes(name) == 5);
        send(
                log,
                new WorkflowCommand.Resume("resume-" + name, Samples.NAMESPACE, name, null, "me"));
    }

    private static void send(LogConnection log, WorkflowCommand command) {
        try (var producer = Producers.plain(log, "somebody", Patience.NEVER_GIVES_UP)) {
            producer.send(
                    new ProducerRecord<>(
                            Topics.WORKFLOW_COMMANDS,
                            command.namespace() + "/" + command.name(),
                            JsonSerde.of(WorkflowCommand.class).encode(command)));
        }
    }

    private static List<String> unfinished(WorkflowsSeen seen) {
        return KilledLocks.workflows().keySet().stream()
                .filter(name -> !succeeded(seen, name))
                .toList();
    }

    private static boolean succeeded(WorkflowsSeen seen, String name) {
        return seen.head(name)
                .filter(
                        h ->
                                h.stage() == WorkflowStage.DONE
                                        && h.phase() == WorkflowPhase.SUCCEEDED)
                .isPresent();
    }
}
