package dev.millrace.executors.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.executors.KeyValues;
import dev.millrace.executors.Reports;
import dev.millrace.executors.Steps;
import dev.millrace.executors.WebServer;
import dev.millrace.executors.artifact.ArtifactStores;
import dev.millrace.executors.serverside.ServerSideExecutor;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.StepOutcome;
import dev.millrace.testkit.S3Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a listing gives, and what becomes of it. */
@Timeout(60)
class DataStepsIT {
    private static final KeyValues SECRETS =
            (namespace, name) ->
                    namespace.equals("argo") && name.equals("s3")
                            ? Optional.of(
                                    Map.of(
                                            "access",
                                            S3Server.ACCESS_KEY,
                                            "secret",
                                            S3Server.SECRET_KEY))
                            : Optional.empty();

    @TempDir Path root;
    private final Reports reports = new Reports();
    private ArtifactStores stores;
    private ServerSideExecutor executor;

    @BeforeEach
    void open() throws IOException {
        stores = new ArtifactStores(root.resolve("artifacts"), SECRETS);
        for (String key : List.of("logs/b/main.log", "logs/a/main.log", "logs/a/x<&>", "logs2/c")) {
            Path file = root.resolve("artifacts").resolve(key);
            Files.createDirectories(file.getParent());
            Files.writeString(file, "x");
        }
        executor =
                new ServerSideExecutor(
                        root.resolve("own"),
                        8,
                        List.of(new DataSteps(stores, new DataSteps.Limits(4, 200))),
                        InstantSource.system());
        executor.recover(reports);
    }

    @AfterEach
    void close() {
        executor.close(false);
        stores.close();
    }

    /** Runs a template; {@code '} stands for {@code "}. */
    private StepOutcome run(String data) {
        executor.start(Steps.template("s1", "{'name':'a','data':" + data + "}"));
        return reports.awaitEnd("s1");
    }

    private static String local(String key, String... expressions) {
        StringBuilder steps = new StringBuilder();
        for (String expression : expressions) {
            steps.append(steps.isEmpty() ? "" : ",").append("{'expression':'" + expression + "'}");
        }
        return "{'source':{'artifactPaths':{'name':'p','local':{'key':'"
                + key
                + "'}}},'transformation':["
                + steps
                + "]}";
    }

    @Test
    void theResultIsTheListOfWholeKeysInOrder() {
        StepOutcome end = run(local("logs"));
        assertThat(end)
                .isEqualTo(
                        new StepOutcome(
                                NodePhase.SUCCEEDED,
                                null,
                                0,
                                "[\"logs/a/main.log\",\"logs/a/x\\u003c\\u0026\\u003e\",\"logs/b/main.log\"]",
                                Map.of()));
        assertThat(reports.hasStarted("s1")).isTrue();
    }

    @Test
    void expressionsFollowEachOther() {
        assertThat(
                        run(local(
                                        "logs/",
                                        "filter(data, {# endsWith `main.log`})",
                                        "map(data, {len(#)})",
                                        "{`n`: data, `whole`: sum(data)}"))
                                .result())
                .isEqualTo("{\"n\":[15,15],\"whole\":30}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "logs | data[0] | logs/a/main.log",
                "logs | len(data) | 3",
                "logs | nil | null",
                "none | filter(data, true) | []",
                "none | data | []"
            })
    void anyValueIsTheResultAsJson(String key, String expression, String result) {
        String expected = result.startsWith("logs") ? "\"" + result + "\"" : result;
        assertThat(run(local(key, expression)).result()).isEqualTo(expected);
    }

    @Test
    void theWholeStoreIsListedWhereThereIsNoKey() {
        assertThat(run(local("", "filter(data, {# startsWith `logs2`})")).result())
                .isEqualTo("[\"logs2/c\"]");
    }

    private void failsWith(StepOutcome end, String message) {
        assertThat(end.phase()).isEqualTo(NodePhase.FAILED);
        assertThat(end.exitCode()).isEqualTo(64);
        assertThat(end.result()).isNull();
        assertThat(end.message())
                .startsWith("main: Error (exit code 64): unable to process data template: ")
                .contains(message);
    }

    @Test
    void aListingThatIsTooLongIsAnErrorThatNamesTheLimit() throws IOException {
        Files.writeString(root.resolve("artifacts/logs/d"), "x");
        Files.writeString(root.resolve("artifacts/logs/e"), "x");
        failsWith(run(local("logs")), "logs of the local artifact store has more than 4 files");
    }

    @Test
    void aResultThatIsTooLargeIsAnErrorThatNamesTheLimit() {
        failsWith(
                run(local("logs", "repeat(`x`, 500)")),
                "the result has 502 bytes, but no more than 200 can be kept");
    }

    @Test
    void anExpressionThatFailsIsNamedByItsNumber() {
        failsWith(
                run(local("logs", "data", "data.x.y")),
                "unable to process data transformation: error processing data step 1: ");
    }

    @Test
    void aStoreThatCannotBeListedIsNamed() {
        failsWith(
                run("{'source':{'artifactPaths':{'name':'p','http':{'url':'http://x'}}}}"),
                "its store cannot be listed; local and s3 can");
        executor.forget("s1");
    }

    @Test
    void aBucketIsListedByItsPrefix() throws Exception {
        try (S3Server server = S3Server.start()) {
            server.makeBucket("bucket");
            for (int i = 0; i < 3; i++) {
                server.put("bucket", "k/" + i, "x");
            }
            server.put("bucket", "kk", "x");
            assertThat(run(s3(server.endpoint(), "bucket", "'key':'k',")))
                    .isEqualTo(
                            new StepOutcome(
                                    NodePhase.SUCCEEDED,
                                    null,
                                    0,
                                    "[\"k/0\",\"k/1\",\"k/2\"]",
                                    Map.of()));
            executor.forget("s1");
            executor.start(
                    Steps.template(
                            "s2",
                            "{'name':'a','data':" + s3(server.endpoint(), "bucket", "") + "}"));
            assertThat(reports.awaitEnd("s2").result())
                    .isEqualTo("[\"k/0\",\"k/1\",\"k/2\",\"kk\"]");
        }
    }

    private static String s3(String endpoint, String bucket, String key) {
        return ("{'source':{'artifactPaths':{'name':'p','s3':{'endpoint':'%s','insecure':true,'bucket':'%s',%s"
                        + "'accessKeySecret':{'name':'s3','key':'access'},'secretKeySecret':{'name':'s3','key':'secret'}}}}}")
                .formatted(endpoint, bucket, key);
    }

    @Test
    void aStoreThatDoesNotAnswerIsLeftAtADeadlineAndAtAStop() throws Exception {
        try (WebServer web = WebServer.plain()) {
            web.on("/b", (_, _) -> Thread.sleep(600_000));
            String data = s3("127.0.0.1:" + web.port(), "b", "");
            executor.start(Steps.withDeadline("s1", "{'name':'a','data':" + data + "}", 1));
            executor.start(Steps.template("s2", "{'name':'a','data':" + data + "}"));
            StepOutcome end = reports.awaitEnd("s1");
            assertThat(end.phase()).isEqualTo(NodePhase.FAILED);
            assertThat(end.message())
                    .isEqualTo("Pod was active on the node longer than the specified deadline");
            executor.stop(Steps.stop("s2", 1));
            assertThat(reports.awaitEnd("s2").message())
                    .isEqualTo("workflow shutdown with strategy:  Stop");
        }
    }
}
