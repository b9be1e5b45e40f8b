package dev.millrace.executors.serverside;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.executors.ReportSink;
import dev.millrace.executors.Reports;
import dev.millrace.executors.Steps;
import dev.millrace.executors.WebServer;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.StepOutcome;
import dev.millrace.schemas.record.StepReport;
import dev.millrace.schemas.record.StepSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What every executor must do, for steps that are calls: deadlines, stops, restarts. */
@Timeout(60)
class ServerSideExecutorIT {
    @TempDir Path root;
    private final Reports reports = new Reports();
    private WebServer web;
    private ServerSideExecutor executor;

    @BeforeEach
    void open() throws Exception {
        web = WebServer.plain();
        web.on("/ok", 200, "fine");
        executor = create(64);
        executor.recover(reports);
    }

    @AfterEach
    void close() {
        executor.close(false);
        web.close();
    }

    private ServerSideExecutor create(int parallelism) {
        return new ServerSideExecutor(
                root,
                parallelism,
                ServerSideExecutorMain.works(web.url("")),
                InstantSource.system());
    }

    private StepSpec step(String id, String path) {
        return Steps.template(
                id, "{'name':'a','http':{'method':'POST','url':'" + web.url(path) + "'}}");
    }

    private void awaitRequests(int count) {
        Reports.await(count + " requests", () -> web.requests().size() == count);
    }

    @Test
    void aDeadlineEndsTheCall() {
        StepSpec step = step("s1", "/hold");
        executor.start(
                new StepSpec(
                        "s1",
                        step.workflow(),
                        step.nodeId(),
                        step.nodeName(),
                        step.podName(),
                        step.template(),
                        true,
                        1L,
                        false));
        StepOutcome end = reports.awaitEnd("s1");
        assertThat(end.phase()).isEqualTo(NodePhase.FAILED);
        assertThat(end.message()).isEqualTo("Step exceeded its deadline");
    }

    @Test
    void aStopEndsTheCallAndSaysWhy() {
        executor.start(step("s1", "/hold"));
        awaitRequests(1);
        executor.stop(Steps.stop("s1", 30));
        StepOutcome end = reports.awaitEnd("s1");
        assertThat(end.phase()).isEqualTo(NodePhase.FAILED);
        assertThat(end.message()).isEqualTo("workflow shutdown with strategy:  Stop");
        web.release();
        executor.stop(Steps.stop("s1", 30));
        Reports.await("the repeat", () -> reports.ends("s1").size() == 2);
        assertThat(reports.ends("s1").getLast()).isEqualTo(reports.ends("s1").getFirst());
    }

    @Test
    void aStepThatWaitsForRoomIsStoppedWithoutACall() {
        executor.close(false);
        executor = create(1);
        executor.recover(reports);
        executor.start(step("s1", "/hold"));
        awaitRequests(1);
        executor.start(step("s2", "/hold"));
        executor.stop(Steps.stop("s2", 30));
        assertThat(reports.awaitEnd("s2").phase()).isEqualTo(NodePhase.FAILED);
        assertThat(reports.hasStarted("s2")).isFalse();
        web.release();
        assertThat(reports.awaitEnd("s1").result()).isEqualTo("released");
        executor.start(step("s3", "/ok"));
        assertThat(reports.awaitEnd("s3").result()).isEqualTo("fine");
        assertThat(web.requests()).hasSize(2);
    }

    @Test
    void noMoreCallsAreMadeAtOnceThanThereIsRoomFor() {
        executor.close(false);
        executor = create(3);
        executor.recover(reports);
        web.on(
                "/slow",
                (exchange, _) -> {
                    Thread.sleep(20);
                    WebServer.send(exchange, 200, "");
                });
        for (int i = 0; i < 20; i++) {
            executor.start(step("p" + i, "/slow"));
        }
        for (int i = 0; i < 20; i++) {
            assertThat(reports.awaitEnd("p" + i).phase()).isEqualTo(NodePhase.SUCCEEDED);
        }
        assertThat(web.mostInside()).isBetween(1, 3);
    }

    @Test
    void stoppingAStepThatIsNotKnownIsAnsweredWithAnError() {
        executor.stop(Steps.stop("never", 1));
        assertThat(reports.awaitEnd("never").phase()).isEqualTo(NodePhase.ERROR);
    }

    @Test
    void aStepStartedTwiceCallsOnceAndReportsItsEndAgain() {
        executor.start(step("s1", "/ok"));
        executor.start(step("s1", "/ok"));
        reports.awaitEnd("s1");
        Reports.await(
                "the repeat",
                () -> {
                    executor.start(step("s1", "/ok"));
                    return reports.ends("s1").size() >= 2;
                });
        assertThat(web.requests()).hasSize(1);
        assertThat(reports.ends("s1")).containsOnly(reports.ends("s1").getFirst());
    }

    @Test
    void aForgottenStepLeavesNothing() throws Exception {
        executor.start(step("s1", "/ok"));
        reports.awaitEnd("s1");
        executor.start(step("s2", "/hold"));
        awaitRequests(2);
        executor.forget("s1");
        executor.forget("s2");
        executor.forget("s3");
        web.release();
        assertThat(executor.knows("s1")).isFalse();
        assertThat(files()).isEmpty();
        executor.start(step("s2", "/ok"));
        assertThat(reports.awaitEnd("s2").result()).isEqualTo("fine");
        assertThat(reports.ends("s2")).hasSize(1);
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(root)) {
            return all.toList();
        }
    }

    @Test
    void idsThatAreNoFileNamesAreKeptApart() {
        List<String> ids = List.of("../a/b", "..%2fa", "a b", "a_b", "A".repeat(300), ".");
        for (String id : ids) {
            executor.start(step(id, "/ok"));
        }
        for (String id : ids) {
            assertThat(reports.awaitEnd(id).result()).isEqualTo("fine");
        }
        assertThat(web.requests()).hasSize(ids.size());
    }

    @Test
    void anOrderlyStopEndsTheCallsAndSaysSoOnce() {
        executor.start(step("s1", "/hold"));
        awaitRequests(1);
        executor.close(false);
        executor = create(64);
        executor.recover(reports);
        StepOutcome end = reports.awaitEnd("s1");
        assertThat(end.phase()).isEqualTo(NodePhase.FAILED);
        assertThat(end.message()).isEqualTo("the server was stopped");
        assertThat(reports.ends("s1")).hasSize(1);
    }

    @Test
    void callsOfStepsThatAreKeptAreMadeAgainWithTheSameKey() {
        executor.start(step("s1", "/hold"));
        awaitRequests(1);
        executor.close(true);
        assertThat(reports.ends("s1")).isEmpty();
        executor = create(64);
        executor.recover(reports);
        awaitRequests(2);
        web.release();
        assertThat(reports.awaitEnd("s1").result()).isEqualTo("released");
        assertThat(web.requests().stream().map(r -> r.header("Idempotency-Key")))
                .containsExactly("s1", "s1");
        assertThat(reports.ends("s1")).hasSize(1);
    }

    @Test
    void afterKill9WhatWasOpenIsCalledAgainAndWhatWasSettledIsOnlyReported() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        web.on(
                "/count",
                (exchange, _) -> WebServer.send(exchange, 200, "call " + calls.incrementAndGet()));
        AtomicInteger asks = new AtomicInteger();
        web.on(
                "/api/v1/template.execute",
                (exchange, _) ->
                        WebServer.send(
                                exchange,
                                200,
                                "{\"node\":{\"phase\":\"%s\",\"message\":\"plugin call %d\"},\"requeue\":\"2s\"}"
                                        .formatted(
                                                asks.incrementAndGet() == 1
                                                        ? "Running"
                                                        : "Succeeded",
                                                asks.get())));
        Process server =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx128m",
                                "-XX:+UseSerialGC",
                                "-cp",
                                System.getProperty("java.class.path"),
                                ServerSideExecutorMain.class.getName(),
                                root.resolve("killed").toString(),
                                web.url(""),
                                web.url("/hold"),
                                web.url("/count"))
                        .redirectErrorStream(true)
                        .redirectOutput(root.resolve("server.out").toFile())
                        .start();
        // The other server's log takes no reports; the second step is settled all the same.
        awaitRequests(3);
        StepFiles files = new StepFiles(root.resolve("killed"));
        Reports.await(
                "the end of the second step", () -> is(files, "step-1", s -> s.end() != null));
        Reports.await("the pause of the plugin", () -> is(files, "plugin", s -> s.dueAt() != null));
        long asked = System.nanoTime();
        server.destroyForcibly().waitFor();
        web.release();

        Reports later = new Reports();
        ServerSideExecutor next =
                new ServerSideExecutor(
                        root.resolve("killed"),
                        64,
                        ServerSideExecutorMain.works(web.url("")),
                        InstantSource.system());
        next.recover(later);
        try {
            assertThat(later.awaitEnd("step-0").result()).isEqualTo("released");
            assertThat(later.awaitEnd("step-1").result()).isEqualTo("call 1");
            assertThat(later.awaitEnd("plugin").message()).isEqualTo("plugin call 2");
            assertThat(Duration.ofNanos(System.nanoTime() - asked))
                    .isGreaterThanOrEqualTo(Duration.ofMillis(1_500));
            assertThat(web.requests().stream().map(r -> r.header("Idempotency-Key")))
                    .hasSize(5)
                    .containsOnlyOnce("step-1", "plugin", "plugin-1");
        } finally {
            next.close(false);
        }
        assertThat(later.ends("step-0")).hasSize(1);
        assertThat(later.ends("step-1")).hasSize(1);
        assertThat(later.ends("plugin")).hasSize(1);
    }

    private static boolean is(StepFiles files, String id, Predicate<RememberedStep> what) {
        try {
            return files.find(id).filter(what).isPresent();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void anEndThatTheLogDidNotTakeIsReportedAsItWas() {
        executor.close(false);
        executor = create(64);
        AtomicInteger refused = new AtomicInteger();
        ReportSink sink =
                report -> {
                    if (report instanceof StepReport.Finished && refused.incrementAndGet() < 3) {
                        throw new IllegalStateException("the log is away");
                    }
                    reports.report(report);
                };
        executor.recover(sink);
        executor.start(step("s1", "/ok"));
        assertThat(reports.awaitEnd("s1").result()).isEqualTo("fine");
        assertThat(refused).hasValue(3);
        assertThat(web.requests()).hasSize(1);
    }
}
