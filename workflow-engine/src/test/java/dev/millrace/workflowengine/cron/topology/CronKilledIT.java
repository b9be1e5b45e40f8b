package dev.millrace.workflowengine.cron.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.log.LogConnection;
import dev.millrace.log.Topics;
import dev.millrace.log.embedded.EmbeddedBroker;
import dev.millrace.log.plain.Positions;
import dev.millrace.log.plain.TailReader;
import dev.millrace.log.serde.JsonSerde;
import dev.millrace.log.serde.Producers;
import dev.millrace.log.serde.Producers.Patience;
import dev.millrace.schemas.record.StatusRecord;
import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.schemas.record.WorkflowRef;
import dev.millrace.schemas.record.WorkflowTransition;
import dev.millrace.testkit.Await;
import dev.millrace.workflowengine.topology.EngineOptions;
import dev.millrace.workflowengine.topology.WorkflowEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CronKilledIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir Path folder;

    @ParameterizedTest
    @EnumSource(KilledCron.Moment.class)
    void theRunThatWasUnderWayIsNeitherLostNorMadeTwice(KilledCron.Moment moment) throws Exception {
        Instant killed = runUntilItDies(moment);
        List<String> submitted = new CopyOnWriteArrayList<>();
        Map<String, StatusRecord> statuses = new ConcurrentHashMap<>();
        try (EmbeddedBroker broker = KilledCron.broker(folder)) {
            LogConnection log = LogConnection.embedded(broker.bootstrapServers());
            try (var producer = Producers.plain(log, "test", Patience.NEVER_GIVES_UP);
                    var engine =
                            WorkflowEngine.start(
                                    log, folder.resolve("engine"), EngineOptions.DEFAULT);
                    var transitions = transitions(log, submitted);
                    var status = statuses(log, statuses);
                    var cron = KilledCron.engine(log, folder, producer, CronMeter.NONE, () -> {})) {
                Await.asserted(
                        PATIENCE,
                        () ->
                                assertThat(submitted)
                                        .as(
                                                "%s %s %s %s %s",
                                                engine.health(),
                                                cron.health(),
                                                cron.workerHealth(),
                                                transitions.health(),
                                                status.health())
                                        .hasSizeGreaterThanOrEqualTo(2));
                Await.asserted(
                        () ->
                                assertThat(statuses.get("CronWorkflow/ns/c").cron().active())
                                        .extracting(WorkflowRef::name)
                                        .containsExactlyElementsOf(
                                                submitted.stream().sorted().toList()));
            }
        }
        assertThat(submitted).doesNotHaveDuplicates();
        List<Long> times =
                submitted.stream().map(n -> Long.parseLong(n.substring(2))).sorted().toList();
        // Had the first one been lost, all would be later than the kill.
        assertThat(Instant.ofEpochSecond(times.getFirst())).isBefore(killed);
        for (int i = 1; i < times.size(); i++) {
            assertThat(times.get(i) - times.get(i - 1)).isEqualTo(KilledCron.PERIOD_SECONDS);
        }
    }

    private static TailReader<WorkflowTransition> transitions(
            LogConnection log, List<String> submitted) {
        return TailReader.start(
                log,
                "transitions",
                Topics.WORKFLOW_EVENTS,
                Positions.START,
                JsonSerde.of(WorkflowTransition.class),
                (batch, _) ->
                        batch.forEach(
                                r ->
                                        r.value().events().stream()
                                                .filter(WorkflowEvent.Submitted.class::isInstance)
                                                .forEach(_ -> submitted.add(r.value().name()))));
    }

    private static TailReader<StatusRecord> statuses(
            LogConnection log, Map<String, StatusRecord> statuses) {
        return TailReader.start(
                log,
                "statuses",
                Topics.STATUS,
                Positions.START,
                JsonSerde.of(StatusRecord.class),
                (batch, _) -> batch.forEach(r -> statuses.put(r.key(), r.value())));
    }

    private Instant runUntilItDies(KilledCron.Moment moment)
            throws IOException, InterruptedException {
        Path said = folder.resolve("said.txt");
        Process process =
                new ProcessBuilder(
                                System.getProperty("java.home") + "/bin/java",
                                "-Xmx384m",
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "--enable-native-access=ALL-UNNAMED",
                                "--sun-misc-unsafe-memory-access=allow",
                                "-cp",
                                System.getProperty(
                                        "surefire.test.class.path",
                                        System.getProperty("java.class.path")),
                                KilledCron.class.getName(),
                                folder.toString(),
                                moment.name())
                        .redirectErrorStream(true)
                        .redirectOutput(said.toFile())
                        .start();
        try {
            assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .as(() -> "it dies by itself; it said: " + read(said))
                    .isTrue();
            assertThat(process.exitValue()).as(() -> read(said)).isEqualTo(137);
            return Instant.now();
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
