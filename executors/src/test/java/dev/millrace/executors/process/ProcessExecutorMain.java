package dev.millrace.executors.process;

import dev.millrace.executors.KeyValues;
import dev.millrace.executors.Steps;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;

/**
 * A server to be killed: starts the steps of its arguments (id, script or template, id, …) and goes
 * on.
 */
final class ProcessExecutorMain {
    private ProcessExecutorMain() {}

    public static void main(String[] args) throws InterruptedException {
        var settings =
                ProcessSettings.of(Path.of(args[0])).withIsolation(Isolation.valueOf(args[1]));
        var executor =
                new ProcessExecutor(
                        settings, KeyValues.none(), KeyValues.none(), InstantSource.system());
        executor.recover(_ -> {});
        for (int i = 2; i < args.length; i += 2) {
            executor.start(
                    args[i + 1].startsWith("{")
                            ? Steps.template(args[i], args[i + 1])
                            : Steps.script(args[i], args[i + 1]));
        }
        new CountDownLatch(1).await();
    }
}
