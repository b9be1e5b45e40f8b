package dev.millrace.executors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.executors.artifact.ArtifactStores;
import dev.millrace.executors.http.HttpClients;
import dev.millrace.executors.http.HttpSteps;
import dev.millrace.executors.http.ProxyRules;
import dev.millrace.executors.process.Isolation;
import dev.millrace.executors.process.ProcessExecutor;
import dev.millrace.executors.process.ProcessSettings;
import dev.millrace.executors.serverside.ServerSideExecutor;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.StepSpec;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Programs and calls beside each other. */
@Timeout(60)
class RoutedExecutorIT {
    @TempDir Path root;
    private final Reports reports = new Reports();

    private RoutedExecutor create() {
        var executor =
                new RoutedExecutor(
                        new ProcessExecutor(
                                ProcessSettings.of(root.resolve("steps"))
                                        .withIsolation(Isolation.NONE),
                                KeyValues.none(),
                                KeyValues.none(),
                                new ArtifactStores(root.resolve("artifacts"), KeyValues.none()),
                                InstantSource.system()),
                        new ServerSideExecutor(
                                root.resolve("http"),
                                64,
                                List.of(
                                        new HttpSteps(
                                                KeyValues.none(),
                                                new HttpClients(ProxyRules.of(Map.of())),
                                                HttpSteps.MAX_BODY_BYTES)),
                                InstantSource.system()));
        executor.recover(reports);
        return executor;
    }

    @Test
    void everyStepAndEveryCommandGoesToTheExecutorOfItsKind() throws Exception {
        try (WebServer web = WebServer.plain()) {
            StepSpec call =
                    Steps.template(
                            "call", "{'name':'a','http':{'url':'" + web.url("/hold") + "'}}");
            RoutedExecutor executor = create();
            executor.start(call);
            executor.start(Steps.script("program", "sleep 60"));
            reports.awaitStart("call");
            reports.awaitStart("program");
            Reports.await("the first call", () -> web.requests().size() == 1);
            executor.stop(Steps.stop("call", 1));
            executor.stop(Steps.stop("program", 1));
            executor.stop(Steps.stop("neither", 1));
            assertThat(reports.awaitEnd("call").exitCode()).isNull();
            assertThat(reports.awaitEnd("program").exitCode()).isEqualTo(143);
            assertThat(reports.awaitEnd("neither").phase()).isEqualTo(NodePhase.ERROR);

            executor.forget("call");
            executor.start(call);
            Reports.await("the call of the forgotten step", () -> web.requests().size() == 2);
            executor.close(true);
            executor = create();
            web.release();
            Reports.await("the end", () -> reports.ends("call").size() == 2);
            assertThat(reports.ends("call").getLast().outcome().result()).isEqualTo("released");
            assertThat(reports.ends("program")).hasSize(1);
            executor.close(false);
        }
    }
}
