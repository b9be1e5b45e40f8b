package dev.millrace.executors.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.millrace.executors.KeyValues;
import dev.millrace.executors.Reports;
import dev.millrace.executors.Steps;
import dev.millrace.executors.artifact.ArtifactStores;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.StepCommand;
import dev.millrace.schemas.record.StepOutcome;
import dev.millrace.schemas.record.StepSpec;
import dev.millrace.schemas.workflow.Artifact;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Steps with artifacts, in the isolation that this host offers. */
@Timeout(60)
class ArtifactStepsIT {
    @TempDir Path root;

    private final Reports reports = new Reports();
    private final List<Process> servers = new ArrayList<>();
    private ProcessExecutor executor;
    private HttpServer web;

    /** How often the web server was asked, and what for. */
    private final AtomicInteger asked = new AtomicInteger();

    private final CountDownLatch answering = new CountDownLatch(1);

    Isolation isolation() {
        return Isolation.AUTO;
    }

    @BeforeEach
    void start() throws IOException {
        executor = open();
        web = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        web.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        web.createContext("/", this::answer);
        web.start();
    }

    private ProcessExecutor open() {
        var settings =
                ProcessSettings.of(root)
                        .withIsolation(isolation())
                        .withDeadlineGrace(Duration.ofSeconds(1));
        var opened =
                new ProcessExecutor(
                        settings,
                        KeyValues.none(),
                        KeyValues.none(),
                        new ArtifactStores(root.resolve(".artifacts"), KeyValues.none()),
                        InstantSource.system());
        opened.recover(reports);
        return opened;
    }

    /** Answers at once, or, below /slow, when the test allows it. */
    private void answer(HttpExchange e) throws IOException {
        try (e) {
            byte[] body = e.getRequestBody().readAllBytes();
            asked.incrementAndGet();
            if (e.getRequestURI().getPath().startsWith("/slow")) {
                answering.await();
            }
            byte[] text = body.length > 0 ? body : "from the web".getBytes(StandardCharsets.UTF_8);
            e.sendResponseHeaders(200, text.length);
            e.getResponseBody().write(text);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private String url(String path) {
        return "http://127.0.0.1:" + web.getAddress().getPort() + path;
    }

    @AfterEach
    void stop() {
        answering.countDown();
        executor.close(false);
        web.stop(0);
        servers.forEach(Process::destroyForcibly);
    }

    private static String json(String source, String inputs, String outputs) {
        return "{'name':'main','script':{'image':'alpine','command':['sh'],'source':%s},'inputs':{'artifacts':[%s]},'outputs':{'artifacts':[%s]}}"
                .formatted(
                        Json.mapper().writeValueAsString(source).replace('"', '\''),
                        inputs,
                        outputs);
    }

    private StepOutcome run(String id, String source, String inputs, String outputs) {
        executor.start(Steps.template(id, json(source, inputs, outputs)));
        return reports.awaitEnd(id);
    }

    private static String local(String name, String path, String key, String more) {
        return "{'name':'%s','path':'%s','local':{'key':'%s'}%s}".formatted(name, path, key, more);
    }

    private static List<String> names(StepOutcome outcome) {
        return outcome.artifacts().stream().map(Artifact::name).toList();
    }

    @Test
    void whatOneStepStoresAnotherFinds() {
        StepOutcome made =
                run(
                        "a",
                        "mkdir -p /mnt/out/d; echo file > /tmp/hello.txt; echo deep > /mnt/out/d/x",
                        "",
                        local("file", "/tmp/hello.txt", "wf/a/file.tgz", "")
                                + ","
                                + local("dir", "/mnt/out", "wf/a/dir.tgz", ""));
        assertThat(made.phase()).as(made.message()).isEqualTo(NodePhase.SUCCEEDED);
        assertThat(names(made)).containsExactly("file", "dir");
        assertThat(made.artifacts().getFirst().local().path("key").asString())
                .isEqualTo("wf/a/file.tgz");
        StepOutcome read =
                run(
                        "b",
                        "cat /tmp/message /in/put/d/x /raw",
                        local("m", "/tmp/message", "wf/a/file.tgz", "")
                                + ","
                                + local("d", "/in/put", "wf/a/dir.tgz", "")
                                + ",{'name':'r','path':'/raw','raw':{'data':'raw'}}",
                        "");
        assertThat(read.result()).as(read.message()).isEqualTo("file\ndeep\nraw");
    }

    @Test
    void aStepThatFailsStoresItsArtifactsToo() {
        StepOutcome end = run("a", "echo x > /tmp/x; exit 3", "", local("x", "/tmp/x", "k", ""));
        assertThat(end.phase()).isEqualTo(NodePhase.FAILED);
        assertThat(end.message()).isEqualTo("main: Error (exit code 3)");
        assertThat(names(end)).containsExactly("x");
    }

    @Test
    void aMissingOutputIsAnErrorUnlessItIsOptional() {
        StepOutcome end =
                run(
                        "a",
                        "echo y > /tmp/y",
                        "",
                        local("x", "/tmp/x", "x", "") + "," + local("y", "/tmp/y", "y", ""));
        assertThat(end.phase()).isEqualTo(NodePhase.ERROR);
        assertThat(end.message())
                .contains("outputs artifact x")
                .contains("/tmp/x")
                .contains("optional");
        assertThat(names(end)).containsExactly("y");
        StepOutcome fine = run("b", "true", "", local("x", "/tmp/x", "x", ",'optional':true"));
        assertThat(fine.phase()).isEqualTo(NodePhase.SUCCEEDED);
        assertThat(fine.artifacts()).isEmpty();
        StepOutcome failed = run("c", "exit 1", "", local("x", "/tmp/x", "x", ""));
        assertThat(failed.phase()).isEqualTo(NodePhase.FAILED);
    }

    @Test
    void aMissingInputIsAnErrorBeforeTheCommandUnlessItIsOptional() {
        StepOutcome end = run("a", "echo ran", local("x", "/tmp/x", "none", ""), "");
        assertThat(end.phase()).isEqualTo(NodePhase.ERROR);
        assertThat(end.message())
                .isEqualTo(
                        "inputs artifact x: there is nothing at key none of the local artifact store");
        assertThat(end.exitCode()).isNull();
        assertThat(reports.hasStarted("a")).isFalse();
        StepOutcome fine =
                run(
                        "b",
                        "ls /tmp/x /tmp/y 2>&1 | grep -c No.such.file",
                        local("x", "/tmp/x", "none", ",'optional':true")
                                + ",{'name':'y','path':'/tmp/y','optional':true}",
                        "");
        assertThat(fine.result()).as(fine.message()).isEqualTo("2");
    }

    @Test
    void theLogIsStoredWhereItIsAskedFor() throws Exception {
        StepOutcome end =
                run(
                        "a",
                        "echo out; echo err >&2; exit 1",
                        "",
                        "{'name':'main-logs','archiveLogs':true,'local':{'key':'wf/a/main.log'}}");
        assertThat(names(end)).containsExactly("main-logs");
        assertThat(Files.readString(root.resolve(".artifacts/wf/a/main.log")))
                .contains("out\n")
                .contains("err\n");
    }

    @Test
    void anInputMayTakeThePlaceOfAProgramOfTheHost() {
        StepOutcome end =
                run(
                        "a",
                        "/usr/bin/millrace-tool; /opt/tool/x",
                        "{'name':'t','path':'/usr/bin/millrace-tool','mode':493,'raw':{'data':'#!/bin/sh\\necho tool'}},"
                                + "{'name':'o','path':'/opt/tool/x','mode':493,'raw':{'data':'#!/bin/sh\\necho opt'}}",
                        "");
        assertThat(end.result()).as(end.message()).isEqualTo("tool\nopt");
    }

    @Test
    void aLinkInAnInputLeadsNothingOfUsOutOfTheStep() throws Exception {
        Path victim = Files.createDirectories(root.resolve(".victim"));
        assertThat(
                        run(
                                        "a",
                                        "mkdir /tmp/d; ln -s "
                                                + victim
                                                + " /tmp/d/link; echo f > /tmp/d/f",
                                        "",
                                        local("d", "/tmp/d", "d", ""))
                                .phase())
                .isEqualTo(NodePhase.SUCCEEDED);
        StepOutcome end =
                run(
                        "b",
                        "true",
                        local("d", "/data", "d", "")
                                + ",{'name':'evil','path':'/data/link/evil','raw':{'data':'evil'}}",
                        local("out", "/data/link/out/x", "o", ",'optional':true"));
        assertThat(victim).isEmptyDirectory();
        assertThat(end.phase()).isNotEqualTo(NodePhase.SUCCEEDED);
    }

    @Test
    void aStopEndsATransfer() {
        executor.start(web("a", "/slow"));
        Reports.await("the transfer", () -> asked.get() == 1);
        executor.stop(Steps.stop("a", 1));
        answering.countDown();
        assertThat(reports.awaitEnd("a").phase()).isEqualTo(NodePhase.FAILED);
        assertThat(reports.awaitEnd("a").message()).contains("shutdown");
        assertThat(reports.hasStarted("a")).isFalse();
    }

    private StepSpec web(String id, String path) {
        return Steps.template(id, json("cat /in", fromWeb(path), ""));
    }

    private String fromWeb(String path) {
        return "{'name':'w','path':'/in','http':{'url':'%s'}}".formatted(url(path));
    }

    private String toWeb(String path) {
        return "{'name':'w','path':'/out','archive':{'none':{}},'http':{'url':'%s'}}"
                .formatted(url(path));
    }

    @Test
    void aStepWhoseInputsTakeLongerThanItsTimeFails() {
        StepSpec spec = web("a", "/slow");
        executor.start(
                new StepSpec(
                        spec.stepId(),
                        spec.workflow(),
                        spec.nodeId(),
                        spec.nodeName(),
                        spec.podName(),
                        spec.template(),
                        true,
                        1L,
                        false));
        long begin = System.nanoTime();
        Reports.await("the transfer", () -> asked.get() == 1);
        Reports.await("more than a second", () -> System.nanoTime() - begin > 1_200_000_000L);
        answering.countDown();
        assertThat(reports.awaitEnd("a").message()).isEqualTo(OutcomeReader.DEADLINE);
    }

    @Test
    void aServerThatWasKilledWhileInputsWereBroughtBringsThemAgain() throws Exception {
        executor.close(false);
        Process server = server("a", json("cat /in", fromWeb("/slow"), ""));
        Reports.await("the transfer", () -> asked.get() == 1);
        server.destroyForcibly().waitFor();
        answering.countDown();
        executor = open();
        assertThat(reports.awaitEnd("a").result()).isEqualTo("from the web");
        assertThat(asked).hasValue(2);
    }

    @Test
    void aServerThatWasKilledWhileOutputsWereStoredStoresThemAgainAndRunsNothingTwice()
            throws Exception {
        executor.close(false);
        Process server =
                server("a", json("echo ran; echo done > /out", fromWeb("/in"), toWeb("/slow")));
        Reports.await("both transfers", () -> asked.get() == 2);
        server.destroyForcibly().waitFor();
        answering.countDown();
        executor = open();
        StepOutcome end = reports.awaitEnd("a");
        assertThat(end.phase()).as(end.message()).isEqualTo(NodePhase.SUCCEEDED);
        assertThat(names(end)).containsExactly("w");
        assertThat(asked).hasValue(3);
        assertThat(StepFolder.of(root, "a").main().log()).hasContent("ran");
    }

    @Test
    void anExecutorThatIsClosedWhileItStoresLeavesTheRestToTheNext() {
        executor.start(Steps.template("a", json("echo done > /out", "", toWeb("/slow"))));
        Reports.await("the transfer", () -> asked.get() == 1);
        executor.close(true);
        assertThat(reports.ends("a")).isEmpty();
        answering.countDown();
        executor = open();
        assertThat(names(reports.awaitEnd("a"))).containsExactly("w");
    }

    @Test
    void largeArtifactsDoNotGoThroughMemory() throws Exception {
        executor.close(false);
        String big = local("big", "/tmp/big", "big.tgz", "");
        String as = local("as", "/tmp/big", "as", ",'archive':{'none':{}}");
        server("a", json("head -c 400M /dev/zero > /tmp/big", "", big + "," + as));
        Reports.await("the first step", () -> StepFolder.of(root, "a").isReported());
        servers.getFirst().destroyForcibly().waitFor();
        String inputs = local("big", "/in/a", "big.tgz", "") + "," + local("as", "/in/b", "as", "");
        server("b", json("stat -c %s /in/a /in/b", inputs, ""));
        Reports.await("the second step", () -> StepFolder.of(root, "b").isReported());
        assertThat(StepFolder.of(root, "b").finished().orElseThrow().outcome().result())
                .isEqualTo("419430400\n419430400");
    }

    /** A server in a process of its own, with little memory. */
    private Process server(String id, String step) throws IOException {
        Process server =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx64m",
                                "-XX:+UseSerialGC",
                                "-cp",
                                System.getProperty("java.class.path"),
                                ProcessExecutorMain.class.getName(),
                                root.toString(),
                                isolation().name(),
                                id,
                                step)
                        .redirectErrorStream(true)
                        .redirectOutput(root.resolve(".server.out").toFile())
                        .start();
        servers.add(server);
        return server;
    }

    @Test
    void whatIsDiscardedIsGoneAndTheRestIsTold() {
        StepOutcome end = run("a", "echo x > /tmp/x", "", local("x", "/tmp/x", "wf/x", ""));
        Artifact raw =
                Json.mapper().readValue("{\"name\":\"r\",\"raw\":{\"data\":\"\"}}", Artifact.class);
        List<Artifact> all = new ArrayList<>(end.artifacts());
        all.add(raw);
        var command = new StepCommand.DiscardArtifacts("a", Steps.WORKFLOW, "wf-123", all);
        for (int i = 0; i < 2; i++) {
            var report = executor.discard(command);
            assertThat(report.artifacts()).containsExactly("x");
            assertThat(report.error()).isEqualTo("artifact r: raw artifacts cannot be deleted");
        }
        assertThat(root.resolve(".artifacts/wf")).doesNotExist();
    }
}
