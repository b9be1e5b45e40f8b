package dev.millrace.executors.serverside;

import dev.millrace.executors.KeyValues;
import dev.millrace.executors.Steps;
import dev.millrace.executors.http.ExecutorPlugin;
import dev.millrace.executors.http.HttpClients;
import dev.millrace.executors.http.HttpSteps;
import dev.millrace.executors.http.PluginSteps;
import dev.millrace.executors.http.ProxyRules;
import dev.millrace.schemas.record.StepReport;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/**
 * A server to be killed: asks the plugin at its second argument, calls the addresses that follow,
 * and has no log for the ends.
 */
final class ServerSideExecutorMain {
    private ServerSideExecutorMain() {}

    static List<StepWork> works(String plugin) {
        HttpClients clients = new HttpClients(ProxyRules.of(Map.of()));
        return List.of(
                new HttpSteps(KeyValues.none(), clients, HttpSteps.MAX_BODY_BYTES),
                new PluginSteps(
                        Map.of(
                                "again",
                                new ExecutorPlugin(
                                        URI.create(plugin), null, null, Duration.ofSeconds(20))),
                        KeyValues.none(),
                        clients,
                        PluginSteps.Patience.DEFAULT));
    }

    public static void main(String[] args) throws InterruptedException {
        var executor =
                new ServerSideExecutor(
                        Path.of(args[0]), 64, works(args[1]), InstantSource.system());
        executor.recover(
                report -> {
                    if (report instanceof StepReport.Finished) {
                        throw new IllegalStateException("the log is away");
                    }
                });
        executor.start(Steps.template("plugin", "{'name':'a','plugin':{'again':{}}}"));
        for (int i = 2; i < args.length; i++) {
            executor.start(
                    Steps.template(
                            "step-" + (i - 2), "{'name':'a','http':{'url':'" + args[i] + "'}}"));
        }
        new CountDownLatch(1).await();
    }
}
