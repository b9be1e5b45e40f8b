package dev.millrace.executors.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testkit.Await;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs {@code run.sh} by the shell of this host; programs of the host stand in for busybox. */
class RunScriptIT {
    @TempDir private Path folder;
    private final List<Process> started = new ArrayList<>();

    @BeforeEach
    void prepare() throws IOException {
        Files.createDirectories(folder.resolve("ended"));
        Files.createDirectories(folder.resolve("alive"));
        try (InputStream in = RunScriptIT.class.getResourceAsStream("run.sh")) {
            Files.copy(in, folder.resolve("run"));
        }
        busybox("#!/bin/sh\nexec \"$@\"\n");
    }

    @AfterEach
    void endAll() {
        for (Process process : started) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private void busybox(String text) throws IOException {
        Path file = folder.resolve("busybox");
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Process start(String... arguments) throws IOException {
        List<String> line = new ArrayList<>(List.of("sh", folder.resolve("run").toString()));
        line.addAll(List.of(arguments));
        Process process = new ProcessBuilder(line).directory(folder.toFile()).start();
        started.add(process);
        return process;
    }

    private static int end(Process process) throws InterruptedException {
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("it ends").isTrue();
        return process.exitValue();
    }

    private static String output(Process process) throws IOException {
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    private String ended(String name) throws IOException {
        return Files.readString(folder.resolve("ended").resolve(name)).strip();
    }

    private void hasEnded(String name, int code) throws IOException {
        Files.writeString(folder.resolve("ended").resolve(name), code + "\n");
    }

    private void await(String file) {
        Await.until(file + " is there", () -> Files.exists(folder.resolve(file)));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 64, 127, 143, 255})
    void theExitCodeIsThatOfTheCommand(int code) throws Exception {
        assertThat(end(start("--name", "a", "--", "sh", "-c", "exit " + code))).isEqualTo(code);
        assertThat(ended("a")).isEqualTo(Integer.toString(code));
    }

    @Test
    void aCommandThatIsKilledHasTheCodeOfItsSignal() throws Exception {
        assertThat(end(start("--name", "a", "--", "sh", "-c", "kill -9 $$"))).isEqualTo(137);
    }

    @Test
    void aCommandThatIsNotThereFails() throws Exception {
        assertThat(end(start("--name", "a", "--", "/no/such/program"))).isIn(126, 127);
        assertThat(ended("a")).isIn("126", "127");
    }

    @Test
    void argumentsReachTheCommandAsTheyAre() throws Exception {
        Process process =
                start(
                        "--name",
                        "a",
                        "--",
                        "printf",
                        "<%s>",
                        "a b",
                        "",
                        "'\"$x`",
                        "two\nlines",
                        "--");
        assertThat(end(process)).isZero();
        assertThat(output(process)).isEqualTo("<a b><><'\"$x`><two\nlines><-->");
    }

    @Test
    void standardInputReachesTheCommand() throws Exception {
        Process process = start("--name", "a", "--", "cat");
        process.getOutputStream().write("text".getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().close();
        assertThat(end(process)).isZero();
        assertThat(output(process)).isEqualTo("text");
    }

    @Test
    void aSignalReachesTheCommandWhoseOwnEndCounts() throws Exception {
        Process process =
                start(
                        "--name",
                        "a",
                        "--retries",
                        "3",
                        "--",
                        "sh",
                        "-c",
                        "trap 'sleep 0.3; exit 7' TERM; : >up; while :; do sleep 0.05; done");
        await("up");
        process.destroy();
        assertThat(end(process)).as("and it is not run again").isEqualTo(7);
        assertThat(ended("a")).isEqualTo("7");
    }

    @Test
    void aContainerWaitsForThoseItDependsOn() throws Exception {
        Process process =
                start("--name", "c", "--after", "a", "--after", "b", "--", "sh", "-c", ": >ran");
        hasEnded("a", 0);
        await("alive/c");
        assertThat(folder.resolve("ran")).doesNotExist();
        hasEnded("b", 0);
        assertThat(end(process)).isZero();
        assertThat(folder.resolve("ran")).exists();
    }

    @Test
    void aContainerDoesNotRunAfterOneThatFailed() throws Exception {
        hasEnded("a", 3);
        Process process = start("--name", "b", "--after", "a", "--", "sh", "-c", ": >ran");
        assertThat(end(process)).isEqualTo(64);
        assertThat(ended("b")).isEqualTo("64");
        assertThat(folder.resolve("ran")).doesNotExist();
    }

    @Test
    void aContainerDoesNotWaitForEverForOneThatWasKilledWithAllThatIsInIt() throws Exception {
        busybox("#!/bin/sh\n[ \"$1\" != sleep ] || exit 0\nexec \"$@\"\n");
        Files.writeString(folder.resolve("alive/a"), "17\n");
        assertThat(end(start("--name", "b", "--after", "a", "--", "true"))).isEqualTo(64);
    }

    @Test
    void aContainerThatWaitsCanBeEnded() throws Exception {
        Process process = start("--name", "b", "--after", "a", "--", "sh", "-c", ": >ran");
        await("alive/b");
        process.destroy();
        assertThat(end(process)).isEqualTo(143);
        assertThat(folder.resolve("ran")).doesNotExist();
    }

    @Test
    void aCommandThatFailsIsRunAgainUntilItSucceeds() throws Exception {
        String thirdTime = "echo x >>runs; [ $(wc -l <runs) -ge 3 ]";
        assertThat(
                        end(
                                start(
                                        "--name",
                                        "a",
                                        "--retries",
                                        "5",
                                        "--pause",
                                        "0.050",
                                        "--",
                                        "sh",
                                        "-c",
                                        thirdTime)))
                .isZero();
        assertThat(Files.readAllLines(folder.resolve("runs"))).hasSize(3);
    }

    @Test
    void aCommandThatAlwaysFailsIsRunAgainAsOftenAsIsSaid() throws Exception {
        assertThat(
                        end(
                                start(
                                        "--name",
                                        "a",
                                        "--retries",
                                        "2",
                                        "--",
                                        "sh",
                                        "-c",
                                        "echo x >>runs; exit 5")))
                .isEqualTo(5);
        assertThat(Files.readAllLines(folder.resolve("runs"))).hasSize(3);
        assertThat(ended("a")).isEqualTo("5");
    }

    @Test
    void aSidecarIsEndedWhenAllMainsHaveEnded() throws Exception {
        Process process =
                start(
                        "--name",
                        "s",
                        "--with",
                        "a",
                        "--with",
                        "b",
                        "--",
                        "sh",
                        "-c",
                        ": >up; exec sleep 600");
        await("up");
        hasEnded("a", 0);
        assertThat(process.waitFor(500, TimeUnit.MILLISECONDS)).as("b still runs").isFalse();
        hasEnded("b", 1);
        assertThat(end(process)).isEqualTo(143);
    }

    @Test
    void aSidecarThatDoesNotListenIsKilledAfterItsGrace() throws Exception {
        Process process =
                start(
                        "--name",
                        "s",
                        "--with",
                        "a",
                        "--grace",
                        "1",
                        "--",
                        "sh",
                        "-c",
                        "trap '' TERM; : >up; while :; do sleep 0.05; done");
        await("up");
        hasEnded("a", 0);
        assertThat(end(process)).isEqualTo(137);
    }

    @Test
    void aSidecarMayEndByItself() throws Exception {
        assertThat(end(start("--name", "s", "--with", "a", "--", "sh", "-c", "exit 4")))
                .isEqualTo(4);
    }

    @Test
    void anOptionThatIsNotKnownIsSaid() throws Exception {
        assertThat(end(start("--nme", "a", "--", "true"))).isEqualTo(64);
    }
}
