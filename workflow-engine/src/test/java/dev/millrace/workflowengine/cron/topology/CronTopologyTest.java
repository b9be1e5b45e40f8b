package dev.millrace.workflowengine.cron.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.CronInput;
import dev.millrace.schemas.record.CronOrder;
import dev.millrace.schemas.record.CronStatus;
import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.schemas.record.WorkflowPhase;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class CronTopologyTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final String KEY = "CronWorkflow/ns/c";

    private final CronDriver driver = new CronDriver();

    @AfterEach
    void stop() {
        driver.close();
    }

    @Test
    void theNamesOfTheTopologyStayAsTheyAreSinceTheStateIsCalledByThem() throws IOException {
        try (InputStream golden = CronTopologyTest.class.getResourceAsStream("topology.txt")) {
            String expected =
                    new String(
                            Objects.requireNonNull(golden, "topology.txt is missing")
                                    .readAllBytes(),
                            StandardCharsets.UTF_8);
            assertThat(CronEngine.topology().describe().toString().strip())
                    .isEqualTo(expected.strip());
        }
    }

    @Test
    void aDefinitionBecomesRunsAndTheLivesOfItsWorkflowsBecomeItsStatus() {
        driver.put("c", manifest("* * * * *"));
        assertThat(status().phase()).isEqualTo("Active");
        assertThat(status().schedules()).containsExactly("* * * * *");
        driver.pass(Duration.ofSeconds(30));
        CronOrder.Submit order = (CronOrder.Submit) driver.orders.getFirst();
        assertThat(order.commandId()).isEqualTo("cron/ns/c/uid-c/1767614460");
        assertThat(order.scheduledTime()).isEqualTo(Instant.parse("2026-01-05T12:01:00Z"));
        driver.start(order);
        assertThat(status().active()).extracting(r -> r.name()).containsExactly("c-1767614460");
        driver.finish("c-1767614460", WorkflowPhase.SUCCEEDED);
        assertThat(status().active()).isEmpty();
        assertThat(status().succeeded()).isEqualTo(1);
        assertThat(status().lastScheduledTime()).isEqualTo(order.scheduledTime());
        driver.put("c", null);
        assertThat(driver.statuses).isEmpty();
        assertThat(driver.orders.getLast())
                .isEqualTo(
                        new CronOrder.Delete(
                                "cron/ns/c/uid-c-1767614460/delete", "ns", "c", "c-1767614460"));
        driver.transition("c-1767614460", new WorkflowEvent.Deleted(Instant.EPOCH));
        driver.pass(MINUTE.multipliedBy(3));
        assertThat(driver.runs()).hasSize(1);
        assertThat(driver.deadLetters).isEmpty();
    }

    @Test
    void afterADowntimeWithoutADeadlineWhatWasMissedIsGone() {
        driver.put("c", manifest("0 * * * *"));
        driver.pass(Duration.ofMinutes(150));
        assertThat(driver.runs()).isEmpty();
        assertThat(driver.counted).containsEntry("skipped missed", 1);
        driver.pass(Duration.ofMinutes(29).plusSeconds(30));
        assertThat(driver.runs()).containsExactly("2026-01-05T15:00:00Z");
    }

    @Test
    void afterADowntimeTheLastOneWithinTheDeadlineIsMadeUpFor() {
        ObjectNode manifest = manifest("0 * * * *");
        manifest.withObject("/spec").put("startingDeadlineSeconds", 3600);
        driver.put("c", manifest);
        driver.pass(Duration.ofMinutes(150));
        assertThat(driver.runs()).containsExactly("2026-01-05T14:00:00Z");
    }

    @Test
    void workflowsOfOthersAndOtherManifestsAreNoInputs() {
        driver.send(
                "millrace.manifests", "Sensor/ns/c", "no json".getBytes(StandardCharsets.UTF_8));
        driver.transition(
                "w",
                new WorkflowEvent.Submitted(
                        "x",
                        "u",
                        Instant.EPOCH,
                        Json.object(),
                        Json.object(),
                        java.util.Map.of(),
                        false,
                        null,
                        null));
        driver.finish("w", WorkflowPhase.FAILED);
        assertThat(driver.statuses).isEmpty();
    }

    @Test
    void aRefusedRunIsAConditionAndCounted() {
        driver.put("c", manifest("* * * * *"));
        driver.pass(Duration.ofSeconds(30));
        driver.input(
                "ns/c",
                new CronInput.SubmissionEnded(
                        Instant.parse("2026-01-05T12:01:00Z"), "entrypoint is missing"));
        assertThat(driver.statuses.get(KEY).conditions())
                .extracting(c -> c.type() + " " + c.status() + " " + c.message())
                .containsExactly(
                        "SubmissionError True Failed to submit Workflow: entrypoint is missing");
        assertThat(driver.counted).containsEntry("refused", 1).containsEntry("run", 1);
    }

    @Test
    void anInputThatTheCoreCannotHandleIsADeadLetterAndTheNextTimeComesNevertheless() {
        driver.put("c", manifest("* * * * *"));
        driver.input("ns/c", new CronInput.WorkflowSubmitted("w", null, true));
        assertThat(driver.deadLetters)
                .singleElement()
                .satisfies(d -> assertThat(d.reason()).contains("a workflow without a uid"));
        driver.pass(Duration.ofSeconds(30));
        assertThat(driver.runs()).containsExactly("2026-01-05T12:01:00Z");
    }

    private CronStatus status() {
        return Objects.requireNonNull(driver.statuses.get(KEY).cron());
    }

    static ObjectNode manifest(String schedule) {
        ObjectNode manifest = Json.object();
        manifest.put("apiVersion", "argoproj.io/v1alpha1").put("kind", "CronWorkflow");
        manifest.putObject("metadata").put("name", "c").put("namespace", "ns").put("uid", "uid-c");
        ObjectNode spec = manifest.putObject("spec");
        spec.set("schedules", Json.tree(List.of(schedule)));
        // It runs until it is ended.
        ObjectNode workflow = spec.putObject("workflowSpec").put("entrypoint", "main");
        workflow.putArray("templates").addObject().put("name", "main").putObject("suspend");
        return manifest;
    }
}
