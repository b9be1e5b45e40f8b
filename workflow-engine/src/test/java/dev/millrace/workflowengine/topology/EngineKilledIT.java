package dev.millrace.workflowengine.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.log.LogConnection;
import dev.millrace.log.embedded.EmbeddedBroker;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.WorkflowPhase;
import dev.millrace.schemas.record.WorkflowStage;
import dev.millrace.testkit.Await;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EngineKilledIT {
    @TempDir Path folder;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void afterAKillAllWorkflowsFinishAndEachStepWasAskedForOnce(boolean transactionalStores)
            throws Exception {
        KilledProcess.runUntil("half", KilledEngine.class, folder.toString());
        try (EmbeddedBroker broker = KilledEngine.broker(folder)) {
            LogConnection log = LogConnection.embedded(broker.bootstrapServers());
            EngineOptions options =
                    EngineOptions.DEFAULT.withTransactionalStores(transactionalStores);
            // Answers everything again, as an executor does that does not know what its predecessor
            // reported.
            try (var seen = new WorkflowsSeen(log);
                    var executor = new StepsAnswered(log, _ -> NodePhase.SUCCEEDED);
                    var engine = WorkflowEngine.start(log, folder.resolve("state"), options)) {
                Await.asserted(
                        Duration.ofMinutes(3),
                        () ->
                                assertThat(unfinished(seen))
                                        .as(
                                                "unfinished; %s, lag %d, %d steps requested, %d answered",
                                                engine.health(),
                                                engine.lag(),
                                                executor.requested.size(),
                                                executor.answered.get())
                                        .isEmpty());
                assertThat(seen.faults()).isEmpty();
                assertThat(executor.requested).hasSize(4 * KilledEngine.WORKFLOWS);
                assertThat(executor.requested.entrySet().stream().filter(e -> e.getValue() != 1))
                        .isEmpty();
                assertThat(engine.health().isReady()).isTrue();
            }
        }
    }

    private static List<String> unfinished(WorkflowsSeen seen) {
        return IntStream.range(0, KilledEngine.WORKFLOWS)
                .mapToObj(i -> "wf" + i)
                .filter(
                        name ->
                                seen.head(name)
                                        .filter(
                                                h ->
                                                        h.stage() == WorkflowStage.DONE
                                                                && h.phase()
                                                                        == WorkflowPhase.SUCCEEDED)
                                        .isEmpty())
                .toList();
    }
}
