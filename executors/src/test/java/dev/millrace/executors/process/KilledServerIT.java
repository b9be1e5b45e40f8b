package dev.millrace.executors.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.millrace.executors.KeyValues;
import dev.millrace.executors.Reports;
import dev.millrace.executors.Steps;
import dev.millrace.executors.artifact.ArtifactStores;
import dev.millrace.schemas.record.NodePhase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a server finds that was killed with steps running. */
@Timeout(60)
class KilledServerIT {
    @TempDir Path root;

    private final Reports reports = new Reports();

    @ParameterizedTest
    @EnumSource(
            value = Isolation.class,
            names = {"BUBBLEWRAP", "NONE"})
    void afterKill9EveryStepIsReportedOnceWithItsOwnEnd(Isolation isolation) throws Exception {
        if (isolation == Isolation.BUBBLEWRAP) {
            assumeTrue(
                    Files.isExecutable(Path.of("/usr/bin/bwrap")),
                    "bubblewrap is not installed here");
        }
        Process server =
                server(
                        isolation,
                        "slow",
                        "sleep 3; echo slow; exit 6",
                        "quick",
                        "sleep 1.5; echo quick",
                        "lost",
                        "sleep 300");
        Reports.await(
                "all steps to run", () -> running("slow") && running("quick") && running("lost"));
        server.destroyForcibly().waitFor();
        StepFolder.of(root, "never").create(Steps.script("never", "echo begun"));
        Reports.await("one step to end without a server", () -> folder("quick").isOver());
        ProcessHandle.of(folder("lost").claim().orElseThrow().pid())
                .orElseThrow()
                .destroyForcibly();
        Reports.await(
                "the shell of one step to be gone",
                () -> !folder("lost").claim().orElseThrow().isAlive());

        var executor = executor(isolation);
        executor.recover(reports);
        try {
            assertThat(reports.awaitEnd("slow").exitCode()).isEqualTo(6);
            assertThat(reports.awaitEnd("slow").result()).isEqualTo("slow");
            assertThat(reports.awaitEnd("quick").result()).isEqualTo("quick");
            assertThat(reports.awaitEnd("never").result()).isEqualTo("begun");
            assertThat(reports.awaitEnd("lost").phase()).isEqualTo(NodePhase.ERROR);
            assertThat(reports.awaitEnd("lost").message())
                    .startsWith("the step was lost: the shell that ran it");
            for (String id : List.of("slow", "quick", "never", "lost")) {
                Reports.await("the mark on " + id, () -> folder(id).isReported());
                assertThat(reports.ends(id)).hasSize(1);
            }
            Reports.await("no process of a step to be left", () -> processes().isEmpty());
        } finally {
            executor.close(false);
        }

        Reports later = new Reports();
        var next = executor(isolation);
        next.recover(later);
        next.close(false);
        assertThat(later.ends("slow")).isEmpty();
    }

    private static String container(String name, String source) {
        return "{'name':'%s','image':'x','command':['sh','-c','%s']}".formatted(name, source);
    }

    @ParameterizedTest
    @EnumSource(
            value = Isolation.class,
            names = {"BUBBLEWRAP", "NONE"})
    void afterKill9StepsOfSeveralContainersGoOnAndNothingOfThemIsLost(Isolation isolation)
            throws Exception {
        if (isolation == Isolation.BUBBLEWRAP) {
            assumeTrue(
                    Files.isExecutable(Path.of("/usr/bin/bwrap")),
                    "bubblewrap is not installed here");
        }
        String pod =
                "{'name':'t','container':%s,'initContainers':[%s],'sidecars':[%s]}"
                        .formatted(
                                container("main", "sleep %s; echo main"),
                                container("before", "sleep 1; echo before"),
                                container("beside", "sleep 300"));
        String set =
                "{'name':'t','containerSet':{'containers':[%s,%s]}}"
                        .formatted(container("main", "sleep 300"), container("other", "sleep 300"));
        String daemon =
                "{'name':'t','daemon':true,'container':%s}"
                        .formatted(container("main", "sleep 300"));
        Process server =
                server(
                        isolation,
                        "quick",
                        pod.formatted("0.1"),
                        "slow",
                        pod.formatted("4"),
                        "lost",
                        set,
                        "daemon",
                        daemon);
        Reports.await(
                "all steps to run",
                () ->
                        running("quick")
                                && running("slow")
                                && folder("lost").leaders().size() == 2
                                && folder("daemon").isReady());
        server.destroyForcibly().waitFor();
        Reports.await("a pod to end without a server", () -> folder("quick").isOver());
        ProcessHandle.of(folder("lost").claim().orElseThrow().pid())
                .orElseThrow()
                .destroyForcibly();
        Reports.await(
                "the shell of one step to be gone",
                () -> !folder("lost").claim().orElseThrow().isAlive());

        var executor = executor(isolation);
        executor.recover(reports);
        try {
            for (String id : List.of("quick", "slow")) {
                assertThat(reports.awaitEnd(id).phase()).isEqualTo(NodePhase.SUCCEEDED);
                assertThat(reports.awaitEnd(id).result()).isEqualTo("main");
                assertThat(Files.readString(folder(id).container("before").log()))
                        .isEqualTo("before\n");
            }
            assertThat(reports.awaitEnd("lost").phase()).isEqualTo(NodePhase.ERROR);
            reports.awaitReady("daemon");
            executor.stop(Steps.stop("daemon", 5));
            assertThat(reports.awaitEnd("daemon").phase()).isEqualTo(NodePhase.FAILED);
            Reports.await("no process of a step to be left", () -> processes().isEmpty());
        } finally {
            executor.close(false);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Isolation.class,
            names = {"BUBBLEWRAP", "NONE"})
    void anOrderlyStopLeavesNoProcess(Isolation isolation) {
        if (isolation == Isolation.BUBBLEWRAP) {
            assumeTrue(
                    Files.isExecutable(Path.of("/usr/bin/bwrap")),
                    "bubblewrap is not installed here");
        }
        var executor = executor(isolation);
        executor.recover(reports);
        executor.start(Steps.script("deaf", "trap '' TERM; sleep 300 & while :; do sleep 1; done"));
        executor.start(Steps.script("stray", "setsid sleep 300 & sleep 300"));
        executor.start(
                Steps.template(
                        "pod",
                        "{'name':'t','container':%s,'sidecars':[%s]}"
                                .formatted(
                                        container("main", "sleep 300"),
                                        container(
                                                "beside",
                                                "trap : TERM; while :; do sleep 1; done"))));
        Reports.await(
                "both steps to run",
                () -> running("deaf") && running("stray") && folder("pod").leaders().size() == 2);
        assertThat(processes()).isNotEmpty();
        executor.close(false);
        Reports.await("no process to be left: " + processes(), () -> processes().isEmpty());
        assertThat(reports.ends("deaf")).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(
            value = Isolation.class,
            names = {"NONE"})
    void aFolderOfAnotherStepUnderTheSameNameIsReplaced(Isolation isolation) throws Exception {
        StepFolder mine = StepFolder.of(root, "s1");
        StepFolder.of(root, "other").create(Steps.script("other", "echo other"));
        Files.move(root.resolve("other"), mine.dir());
        var executor = executor(isolation);
        executor.start(Steps.script("s1", "echo mine"));
        executor.recover(reports);
        assertThat(reports.awaitEnd("s1").result()).isEqualTo("mine");
        assertThat(reports.ends("other")).isEmpty();
        executor.close(false);
    }

    private ProcessExecutor executor(Isolation isolation) {
        var settings =
                ProcessSettings.of(root)
                        .withIsolation(isolation)
                        .withDeadlineGrace(Duration.ofSeconds(1));
        return new ProcessExecutor(
                settings,
                KeyValues.none(),
                KeyValues.none(),
                new ArtifactStores(root.resolve(".artifacts"), KeyValues.none()),
                InstantSource.system());
    }

    private Process server(Isolation isolation, String... steps) throws IOException {
        var command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx128m",
                                "-XX:+UseSerialGC",
                                "-cp",
                                System.getProperty("java.class.path"),
                                ProcessExecutorMain.class.getName(),
                                root.toString(),
                                isolation.name()));
        command.addAll(List.of(steps));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(root.resolve(".server.out").toFile())
                .start();
    }

    private StepFolder folder(String id) {
        return StepFolder.of(root, id);
    }

    private boolean running(String id) {
        return !folder(id).leaders().isEmpty();
    }

    /** The living processes that work in a folder of these steps, or carry one of their ids. */
    private List<String> processes() {
        try (var all = Files.list(Path.of("/proc"))) {
            return all.filter(p -> p.getFileName().toString().matches("\\d+"))
                    .filter(
                            p ->
                                    read(p.resolve("environ")).contains("MILLRACE_STEP_ID=")
                                            || cwd(p).startsWith(root.toString()))
                    .filter(p -> !read(p.resolve("stat")).matches("(?s).*\\) Z .*"))
                    .map(p -> p + " " + read(p.resolve("cmdline")).replace('\0', ' '))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String cwd(Path process) {
        try {
            return Files.readSymbolicLink(process.resolve("cwd")).toString();
        } catch (IOException gone) {
            return "";
        }
    }

    private static String read(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        } catch (IOException gone) {
            return "";
        }
    }
}
