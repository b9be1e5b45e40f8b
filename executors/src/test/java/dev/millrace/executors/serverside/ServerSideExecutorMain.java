package dev.millrace.executors.serverside;

import dev.millrace.executors.KeyValues;
import dev.millrace.executors.Steps;
import dev.millrace.executors.http.HttpSteps;
import dev.millrace.schemas.record.StepReport;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A server to be killed: calls the addresses of its arguments, and has no log for their ends. */
final class ServerSideExecutorMain {
    private ServerSideExecutorMain() {}

    public static void main(String[] args) throws InterruptedException {
        var executor =
                new ServerSideExecutor(Path.of(args[0]), 64, List.of(new HttpSteps(KeyValues.none(), HttpSteps.MAX_BODY_BYTES)), InstantSource.system());
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
