package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.local.MillraceLauncher;
import dev.millrace.cli.local.RunningServer;
import dev.millrace.cli.local.ServerPlan;
import dev.millrace.testkit.Await;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs are followed while the server stops and comes back; the step goes on meanwhile. */
final class LogsOverARestartIT {

    private static final String COUNTS =
            """
            apiVersion: argoproj.io/v1alpha1
            kind: Workflow
            metadata:
              name: counts
            spec:
              entrypoint: main
              templates:
                - name: main
                  container:
                    image: alpine:3.23
                    command: [sh, -c]
                    args: ["for i in 1 2 3 4 5 6 7 8 9; do echo line $i; sleep 1; done; echo the end"]
            """;

    @TempDir private Path folder;

    @Test
    void everyLineIsPrintedOnce() throws Exception {
        int port = freePort();
        ServerPlan plan =
                new ServerPlan(
                        folder.resolve("data"),
                        Optional.empty(),
                        Optional.of(port),
                        Optional.of("127.0.0.1"),
                        true);
        Files.writeString(folder.resolve("counts.yaml"), COUNTS);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        AtomicInteger code = new AtomicInteger(-1);
        Thread client;
        try (RunningServer _ = new MillraceLauncher(Map.of()).start(plan, _ -> {})) {
            client =
                    Thread.ofPlatform()
                            .start(
                                    () ->
                                            code.set(
                                                    Main.run(
                                                            shell(port).surroundings(out, err),
                                                            "submit",
                                                            "counts.yaml",
                                                            "--log")));
            Await.until("lines come", () -> text(out).contains("counts: line 2"));
        }
        assertThat(text(out)).doesNotContain("the end");
        try (RunningServer _ = new MillraceLauncher(Map.of()).start(plan, _ -> {})) {
            client.join();
        }

        assertThat(text(err)).isEmpty();
        assertThat(code).hasValue(0);
        assertThat(text(out).lines().filter(line -> line.startsWith("counts: ")))
                .containsExactly(
                        "counts: line 1",
                        "counts: line 2",
                        "counts: line 3",
                        "counts: line 4",
                        "counts: line 5",
                        "counts: line 6",
                        "counts: line 7",
                        "counts: line 8",
                        "counts: line 9",
                        "counts: the end");
    }

    private Recorder shell(int port) {
        return new Recorder(folder).variable("MILLRACE_SERVER", "http://127.0.0.1:" + port);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static String text(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
