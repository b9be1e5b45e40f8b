package dev.millrace.executors.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.executors.KeyValues;
import dev.millrace.executors.Reports;
import dev.millrace.executors.Steps;
import dev.millrace.executors.WebServer;
import dev.millrace.executors.serverside.ServerSideExecutor;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.StepOutcome;
import dev.millrace.schemas.record.StepReport;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** The contract with plugins: what they are told, and what becomes of their answers. */
@Timeout(60)
class PluginStepsIT {
    private static final String PATH = "/api/v1/template.execute";
    private static final KeyValues SECRETS =
            (namespace, name) ->
                    namespace.equals("plugins") && name.equals("hello")
                            ? Optional.of(Map.of("token", "s3cret\n"))
                            : Optional.empty();

    @TempDir Path root;
    private final Reports reports = new Reports();
    private WebServer web;
    private ServerSideExecutor executor;

    @BeforeEach
    void open() throws Exception {
        web = WebServer.plain();
        executor = create(plugin(web.url(""), null, null));
        executor.recover(reports);
    }

    @AfterEach
    void close() {
        executor.close(false);
        web.close();
    }

    private static ExecutorPlugin plugin(
            String url, @Nullable Path file, ExecutorPlugin.@Nullable TokenSecret secret) {
        return new ExecutorPlugin(URI.create(url), file, secret, Duration.ofSeconds(20));
    }

    private ServerSideExecutor create(ExecutorPlugin plugin) {
        return new ServerSideExecutor(
                root.resolve("own"),
                8,
                List.of(
                        new PluginSteps(
                                Map.of("hello", plugin),
                                SECRETS,
                                new HttpClients(ProxyRules.of(Map.of())),
                                new PluginSteps.Patience(3, Duration.ofMillis(10), 5_000))),
                InstantSource.system());
    }

    private void restart(boolean keep, ExecutorPlugin plugin) {
        executor.close(keep);
        executor = create(plugin);
        executor.recover(reports);
    }

    private static final String TEMPLATE =
            "{'name':'a','plugin':{'hello':{'to':'you'}},'inputs':{'parameters':[{'name':'p','value':'1'}]}}";

    private StepOutcome run() {
        executor.start(Steps.template("s1", TEMPLATE));
        return reports.awaitEnd("s1");
    }

    private void answers(String json) {
        web.on(PATH, 200, json.replace('\'', '"'));
    }

    @Test
    void aPluginIsToldTheWorkflowAndTheTemplate() {
        answers("{'node':{'phase':'Succeeded','message':'Hello'}}");
        assertThat(run())
                .isEqualTo(new StepOutcome(NodePhase.SUCCEEDED, "Hello", null, null, Map.of()));
        WebServer.Request request = web.requests().getFirst();
        assertThat(request.method()).isEqualTo("POST");
        assertThat(request.path()).isEqualTo(PATH);
        assertThat(request.header("Content-Type")).isEqualTo("application/json");
        assertThat(request.header("Authorization")).isNull();
        assertThat(request.header("Idempotency-Key")).isEqualTo("s1");
        assertThat(Json.mapper().readTree(request.body()))
                .isEqualTo(
                        Json.mapper()
                                .readTree(
                                        ("{'workflow':{'metadata':{'name':'wf','namespace':'argo','uid':'uid-1'}},"
                                                        + "'template':{'name':'a','plugin':{'hello':{'to':'you'}},'metadata':{},'outputs':{},"
                                                        + "'inputs':{'parameters':[{'name':'p','value':'1'}]}}}")
                                                .replace('\'', '"')));
        assertThat(reports.hasStarted("s1")).isTrue();
    }

    @Test
    void outputsOfAllKindsAreTaken() {
        answers(
                "{'node':{'phase':'Failed','message':'no','outputs':{'result':'r','exitCode':'3','parameters':[{'name':'a','value':'x'},{'name':'n','value':4},{'name':'none'}],"
                        + "'artifacts':[{'name':'f','s3':{'bucket':'b','key':'k'}}]}},'requeue':'1s'}");
        StepOutcome end = run();
        assertThat(end.phase()).isEqualTo(NodePhase.FAILED);
        assertThat(end.message()).isEqualTo("no");
        assertThat(end.result()).isEqualTo("r");
        assertThat(end.exitCode()).isEqualTo(3);
        assertThat(end.parameters()).containsExactly(Map.entry("a", "x"), Map.entry("n", "4"));
        assertThat(end.artifacts()).singleElement().extracting("name").isEqualTo("f");
    }

    @Test
    void theTokenComesFromAFileThatMayChangeOrFromASecret() throws IOException {
        answers("{'node':{'phase':'Succeeded'}}");
        Path file = Files.writeString(root.resolve("token"), "one\n");
        restart(true, plugin(web.url(""), file, null));
        run();
        Files.writeString(file, "two\n");
        executor.start(Steps.template("s2", TEMPLATE));
        reports.awaitEnd("s2");
        restart(
                true,
                plugin(
                        web.url(""),
                        null,
                        new ExecutorPlugin.TokenSecret("plugins", "hello", "token")));
        executor.start(Steps.template("s3", TEMPLATE));
        reports.awaitEnd("s3");
        assertThat(web.requests())
                .extracting(r -> r.header("Authorization"))
                .containsExactly("Bearer one", "Bearer two", "Bearer s3cret");
    }

    @Test
    void aTokenThatIsNotThereIsSaidWithItsPlaceAndNothingIsSent() {
        restart(true, plugin(web.url(""), root.resolve("none"), null));
        assertThat(run().message())
                .contains("plugin 'hello'")
                .contains(root.resolve("none").toString());
        assertThat(web.requests()).isEmpty();
    }

    @Test
    void aPluginThatWantsToBeAskedAgainIsAskedWhenItSaid() {
        AtomicInteger calls = new AtomicInteger();
        web.on(
                PATH,
                (exchange, _) ->
                        WebServer.send(
                                exchange,
                                200,
                                calls.incrementAndGet() < 3
                                        ? "{\"node\":{\"phase\":\"Running\",\"message\":\"hold on\",\"progress\":\""
                                                + calls
                                                + "/3\"},\"requeue\":\"150ms\"}"
                                        : "{\"node\":{\"phase\":\"Succeeded\"}}"));
        long before = System.nanoTime();
        assertThat(run().phase()).isEqualTo(NodePhase.SUCCEEDED);
        assertThat(Duration.ofNanos(System.nanoTime() - before))
                .isGreaterThanOrEqualTo(Duration.ofMillis(300));
        assertThat(web.requests())
                .extracting(r -> r.header("Idempotency-Key"))
                .containsExactly("s1", "s1-1", "s1-2");
        assertThat(reports.of("s1").stream().filter(StepReport.Progress.class::isInstance))
                .extracting(
                        r ->
                                ((StepReport.Progress) r).message()
                                        + " "
                                        + ((StepReport.Progress) r).progress())
                .containsExactly("hold on 1/3", "hold on 2/3");
        assertThat(reports.of("s1").stream().filter(StepReport.Started.class::isInstance))
                .hasSize(1);
    }

    @Test
    void aRestartNeitherForgetsNorHurriesTheNextCall() {
        answers("{'node':{'phase':'Running'},'requeue':'2s'}");
        executor.start(Steps.template("s1", TEMPLATE));
        Reports.await("the pause to be remembered", () -> file("s1").contains("dueAt"));
        long asked = System.nanoTime();
        answers("{'node':{'phase':'Succeeded'}}");
        restart(true, plugin(web.url(""), null, null));
        assertThat(reports.awaitEnd("s1").phase()).isEqualTo(NodePhase.SUCCEEDED);
        assertThat(Duration.ofNanos(System.nanoTime() - asked))
                .isGreaterThanOrEqualTo(Duration.ofMillis(1_500));
        assertThat(web.requests()).hasSize(2);
        assertThat(web.requests().getLast().header("Idempotency-Key")).isEqualTo("s1-1");
        assertThat(reports.ends("s1")).hasSize(1);
    }

    private String file(String stepId) {
        try {
            return Files.readString(root.resolve("own").resolve(stepId + ".json"));
        } catch (IOException e) {
            return "";
        }
    }

    @Test
    void aPauseTakesNoRoomAndEndsAtADeadlineAndAtAStop() {
        answers("{'node':{'phase':'Running'},'requeue':'1h'}");
        for (int i = 0; i < 20; i++) {
            executor.start(Steps.template("p" + i, TEMPLATE));
        }
        executor.start(Steps.withDeadline("s1", TEMPLATE.replace('\'', '"'), 1));
        Reports.await("all calls", () -> web.requests().size() == 21);
        assertThat(reports.awaitEnd("s1").message()).isEqualTo("Step exceeded its deadline");
        executor.stop(Steps.stop("p3", 1));
        assertThat(reports.awaitEnd("p3").message())
                .isEqualTo("workflow shutdown with strategy:  Stop");
        assertThat(reports.ends("p3")).hasSize(1);
        assertThat(web.requests()).hasSize(21);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "200 | {} | Failed | no plugin executed the template: 'hello' answered without a node",
                "404 | nothing | Failed | no plugin executed the template: 'hello' knows no template.execute (404)",
                "500 | boom | Failed | plugin 'hello': status 500: boom",
                "200 | no json | Error | plugin 'hello': the answer is no JSON",
                "200 | {'node':{'phase':'Running'}} | Error | no requeue, so it would never be asked",
                "200 | {'node':{'phase':'Running'},'requeue':'soon'} | Error | requeue is 'soon', but a duration",
                "200 | {'node':{'phase':'Done'}} | Error | phase 'Done'; there are Pending, Running,",
                "200 | {'node':{'phase':'Succeeded','outputs':{'artifacts':[3]}}} | Error | node.outputs is not what it should be"
            })
    void anAnswerThatBreaksTheContractIsSaid(
            int status, String body, String phase, String message) {
        web.on(PATH, status, body.replace('\'', '"'));
        StepOutcome end = run();
        assertThat(end.phase().text()).isEqualTo(phase);
        assertThat(end.message()).contains(message);
        assertThat(web.requests()).hasSize(1);
    }

    @Test
    void anAnswerThatIsTooLargeIsRefused() {
        answers("{'node':{'phase':'Succeeded','message':'" + "x".repeat(6_000) + "'}}");
        assertThat(run().message()).contains("the answer has more than 5000 bytes");
    }

    @Test
    void aBusyPluginIsAskedAgainWithTheSameKey() {
        AtomicInteger calls = new AtomicInteger();
        web.on(
                PATH,
                (exchange, _) -> {
                    boolean busy = calls.incrementAndGet() < 3;
                    WebServer.send(
                            exchange, busy ? 503 : 200, "{\"node\":{\"phase\":\"Succeeded\"}}");
                });
        assertThat(run().phase()).isEqualTo(NodePhase.SUCCEEDED);
        assertThat(web.requests())
                .extracting(r -> r.header("Idempotency-Key"))
                .containsExactly("s1", "s1", "s1");
    }

    @Test
    void aPluginThatIsNotThereIsSaidAfterTheLastAttempt() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        restart(true, plugin("http://127.0.0.1:" + port, null, null));
        assertThat(run().message())
                .isEqualTo(
                        "plugin 'hello' at http://127.0.0.1:%d%s: connection refused (tried 3 times)"
                                .formatted(port, PATH));
    }

    @Test
    void aPluginThatIsNotConfiguredAnyMoreIsNamedWithThoseThereAre() {
        executor.start(Steps.template("s1", "{'name':'a','plugin':{'other':{}}}"));
        assertThat(reports.awaitEnd("s1").message())
                .isEqualTo(
                        "no plugin executed the template: there is no plugin 'other' in the setting executorPlugins; there are hello");
    }

    @Test
    void aFileOfAStepWithoutTurnsIsReadAsOneThatTookNone() throws IOException {
        answers("{'node':{'phase':'Succeeded'}}");
        executor.close(true);
        JsonNode spec = Json.tree(Steps.template("old", TEMPLATE));
        Files.writeString(
                root.resolve("own").resolve("old.json"),
                "{\"spec\":" + spec + ",\"reported\":false}");
        executor = create(plugin(web.url(""), null, null));
        executor.recover(reports);
        assertThat(reports.awaitEnd("old").phase()).isEqualTo(NodePhase.SUCCEEDED);
        assertThat(web.requests().getFirst().header("Idempotency-Key")).isEqualTo("old");
    }
}
