package dev.millrace.executors.process;

import dev.millrace.executors.ContainerArtifactsContract;
import dev.millrace.executors.Executor;
import dev.millrace.executors.LogStore;
import dev.millrace.executors.artifact.ArtifactStores;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.io.TempDir;

/** The contract, for one kind of isolation. */
abstract class ProcessExecutorContract extends ContainerArtifactsContract {
    @TempDir Path root;

    abstract Isolation isolation();

    ProcessSettings settings() {
        return ProcessSettings.of(root)
                .withIsolation(isolation())
                .withDeadlineGrace(Duration.ofSeconds(1));
    }

    @Override
    protected Executor create() {
        return new ProcessExecutor(
                settings(),
                SECRETS,
                CONFIG_MAPS,
                new ArtifactStores(root.resolve(".artifacts"), SECRETS),
                InstantSource.system());
    }

    @Override
    protected LogStore logs() {
        return new FileLogStore(root);
    }
}
