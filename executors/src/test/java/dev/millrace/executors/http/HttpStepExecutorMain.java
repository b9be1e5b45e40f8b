package dev.millrace.executors.http;

import dev.millrace.executors.KeyValues;
import dev.millrace.executors.Steps;
import dev.millrace.schemas.record.StepReport;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;

/** A server to be killed: calls the addresses of its arguments, and has no log for their ends. */
final class HttpStepExecutorMain {
    private HttpStepExecutorMain() {}

    public static void main(String[] args) throws InterruptedException {
        var executor =
                new HttpStepExecutor(
                        HttpSettings.of(Path.of(args[0])),
                        KeyValues.none(),
                        InstantSource.system());
        executor.recover(
                report -> {
                    if (report instanceof StepReport.Finished) {
                        throw new IllegalStateException("the log is away");
                    }
                });
        for (int i = 1; i < args.length; i++) {
            executor.start(
                    Steps.template(
                            "step-" + (i - 1), "{'name':'a','http':{'url':'" + args[i] + "'}}"));
        }
        new CountDownLatch(1).await();
    }
}
