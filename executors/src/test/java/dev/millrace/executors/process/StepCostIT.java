package dev.millrace.executors.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.executors.KeyValues;
import dev.millrace.executors.Reports;
import dev.millrace.executors.Steps;
import dev.millrace.executors.artifact.ArtifactStores;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Many small steps: each is reported once, and the price of one stands in the output. */
@Timeout(60)
class StepCostIT {
    private static final int STEPS = 100;

    @TempDir Path root;

    @ParameterizedTest
    @EnumSource(
            value = Isolation.class,
            names = {"AUTO", "NONE"})
    void everyOneOfManyStepsIsReportedOnceAsItself(Isolation isolation) {
        var reports = new Reports();
        var settings = ProcessSettings.of(root).withIsolation(isolation).withParallelism(4);
        var executor =
                new ProcessExecutor(
                        settings,
                        KeyValues.none(),
                        KeyValues.none(),
                        new ArtifactStores(root.resolve(".artifacts"), KeyValues.none()),
                        InstantSource.system());
        executor.recover(reports);
        long since = System.nanoTime();
        for (int i = 0; i < STEPS; i++) {
            executor.start(Steps.script("s" + i, "echo " + i));
        }
        for (int i = 0; i < STEPS; i++) {
            assertThat(reports.awaitEnd("s" + i).result()).isEqualTo("" + i);
        }
        System.out.printf(
                "%s: %.1f ms a step%n", isolation, (System.nanoTime() - since) / 1e6 / STEPS);
        for (int i = 0; i < STEPS; i++) {
            assertThat(reports.ends("s" + i)).hasSize(1);
        }
        executor.close(false);
    }
}
