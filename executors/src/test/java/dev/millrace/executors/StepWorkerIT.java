package dev.millrace.executors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.executors.artifact.ArtifactStores;
import dev.millrace.executors.process.Isolation;
import dev.millrace.executors.process.ProcessExecutor;
import dev.millrace.executors.process.ProcessSettings;
import dev.millrace.log.DeadLetters;
import dev.millrace.log.LogRecord;
import dev.millrace.log.Topics;
import dev.millrace.schemas.record.StepCommand;
import dev.millrace.schemas.record.StepReport;
import dev.millrace.testkit.TestBroker;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class StepWorkerIT {
    @RegisterExtension static final TestBroker BROKER = new TestBroker();

    @TempDir Path root;

    @Test
    void commandsBecomeReportsUnderTheKeyOfTheirWorkflow() {
        var executor =
                new ProcessExecutor(
                        ProcessSettings.of(root).withIsolation(Isolation.NONE),
                        KeyValues.none(),
                        KeyValues.none(),
                        new ArtifactStores(root.resolve(".artifacts"), KeyValues.none()),
                        InstantSource.system());
        try (var records = BROKER.records();
                var worker =
                        StepWorker.start(
                                BROKER.log(),
                                executor,
                                new DeadLetters(records.producer(), text -> text),
                                text -> text)) {
            records.send(Topics.STEPS, "s1", new StepCommand.Start(Steps.script("s1", "echo hi")));
            records.send(Topics.STEPS, "s2", new StepCommand.Start(Steps.script("s2", "sleep 60")));
            records.send(Topics.STEPS, "s2", Steps.stop("s2", 1));
            List<LogRecord<StepReport>> read =
                    records.read(
                            Topics.STEP_RESULTS,
                            StepReport.class,
                            all ->
                                    all.stream()
                                                    .filter(
                                                            r ->
                                                                    r.value()
                                                                            instanceof
                                                                            StepReport.Finished)
                                                    .count()
                                            == 2);
            assertThat(read).allMatch(r -> "argo/wf".equals(r.key()));
            assertThat(
                            read.stream()
                                    .map(r -> r.requiredValue())
                                    .filter(r -> r.stepId().equals("s1")))
                    .satisfiesExactly(
                            first -> assertThat(first).isInstanceOf(StepReport.Started.class),
                            last ->
                                    assertThat(last)
                                            .isInstanceOfSatisfying(
                                                    StepReport.Finished.class,
                                                    f ->
                                                            assertThat(f.outcome().result())
                                                                    .isEqualTo("hi")));
            assertThat(worker.health().isReady()).isTrue();
        }
    }
}
