package dev.millrace.executors.process;

import dev.millrace.executors.KeyValues;
import dev.millrace.executors.Steps;
import dev.millrace.executors.artifact.ArtifactStores;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;

/**
 * A server to be killed: starts the steps of its arguments (id, script or template, id …) and goes
 * on.
 */
final class ProcessExecutorMain {
    private ProcessExecutorMain() {}

    public static void main(String[] args) throws InterruptedException {
        var settings =
                ProcessSettings.of(Path.of(args[0])).withIsolation(Isolation.valueOf(args[1]));
        var executor =
                new ProcessExecutor(
                        settings,
                        KeyValues.none(),
                        KeyValues.none(),
                        new ArtifactStores(
                                Path.of(args[0]).resolve(".artifacts"), KeyValues.none()),
                        InstantSource.system());
        executor.recover(_ -> {});
        for (int i = 2; i < args.length; i += 2) {
            String step = args[i + 1];
            executor.start(
                    step.startsWith("{")
                            ? Steps.template(args[i], step)
                            : Steps.script(args[i], step));
        }
        new CountDownLatch(1).await();
    }
}
