package dev.millrace.executors.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.executors.KeyValues;
import dev.millrace.executors.Reports;
import dev.millrace.executors.Steps;
import dev.millrace.executors.artifact.ArtifactStores;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(40)
class ParallelismIT {
    @TempDir Path root;

    private final Reports reports = new Reports();

    @Test
    void aStepWaitsForRoomAndCanBeStoppedMeanwhile() {
        var settings = ProcessSettings.of(root).withIsolation(Isolation.NONE).withParallelism(1);
        var executor =
                new ProcessExecutor(
                        settings,
                        KeyValues.none(),
                        KeyValues.none(),
                        new ArtifactStores(root.resolve(".artifacts"), KeyValues.none()),
                        InstantSource.system());
        executor.recover(reports);
        executor.start(Steps.script("first", "sleep 60"));
        reports.awaitStart("first");
        executor.start(Steps.script("second", "echo second"));
        executor.start(Steps.script("id/with: odd characters", "echo third"));
        executor.stop(Steps.stop("second", 30));
        assertThat(reports.awaitEnd("second").message())
                .isEqualTo("workflow shutdown with strategy:  Stop");
        assertThat(reports.hasStarted("second")).isFalse();
        assertThat(reports.of("id/with: odd characters")).isEmpty();
        executor.stop(Steps.stop("first", 1));
        assertThat(reports.awaitEnd("id/with: odd characters").result()).isEqualTo("third");
        assertThat(reports.ends("second")).hasSize(1);
        executor.close(false);
    }
}
