package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.Recorder.Said;
import dev.millrace.cli.local.MillraceLauncher;
import dev.millrace.testkit.Await;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands that start a server of their own. */
final class OwnServerIT {

    private static final String WITH_TEMPLATE =
            """
            apiVersion: argoproj.io/v1alpha1
            kind: WorkflowTemplate
            metadata:
              name: shared
            spec:
              templates:
                - name: say
                  inputs:
                    parameters:
                      - name: text
                  container:
                    image: alpine:3.23
                    command: [echo, "{{inputs.parameters.text}}"]
            ---
            apiVersion: argoproj.io/v1alpha1
            kind: Workflow
            metadata:
              generateName: own-
            spec:
              entrypoint: main
              arguments:
                parameters:
                  - name: text
                    value: none
              templates:
                - name: main
                  dag:
                    tasks:
                      - name: a
                        templateRef:
                          name: shared
                          template: say
                        arguments:
                          parameters:
                            - name: text
                              value: "{{workflow.parameters.text}}"
            """;

    @TempDir private Path folder;
    private Path home;
    private int port;

    @BeforeEach
    void copyExamples() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        home = folder.resolve("home");
        Path target = Files.createDirectories(home.resolve("examples/quickstart"));
        Path source = Path.of("..", "examples", "quickstart").toAbsolutePath().normalize();
        try (Stream<Path> files = Files.list(source)) {
            for (Path file : files.toList()) {
                // A port of its own, since 12000 may be somebody's.
                Files.writeString(
                        target.resolve(file.getFileName().toString()),
                        Files.readString(file).replace("\"12000\"", "\"" + port + "\""));
            }
        }
    }

    @Test
    void runAppliesTheTemplatesOfTheFileRunsItsWorkflowAndLeavesNothingBehind() throws IOException {
        Files.writeString(folder.resolve("own.yaml"), WITH_TEMPLATE);

        Said said = shell().run("run", "own.yaml", "-p", "text=from the command line", "--log");

        assertThat(said.err()).isEmpty();
        assertThat(said.code()).isZero();
        assertThat(said.out())
                .contains(
                        "Status:              Succeeded",
                        "shared/say",
                        ": from the command line\n");
        assertThat(folder.resolve(".millrace")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "none"})
    void theDemoShowsEventsDecisionsAndTheWorkflowAndSucceeds(String isolation) {
        Said said = shell(Map.of("MILLRACE_ISOLATION", isolation)).run("demo");

        assertThat(said.code()).isZero();
        assertThat(said.out())
                .contains(
                        "eventsource/quickstart created",
                        "-> 200",
                        "is in the log",
                        "activation ",
                        "dispatched",
                        "✔ build(0:linux)",
                        "millrace 1.4.7, approved by ada. Built: ",
                        ": Succeeded after ");
        assertThat(said.out() + said.err())
                .as("without isolation it says so")
                .satisfies(
                        all ->
                                assertThat(all.contains("WARNING: "))
                                        .isEqualTo(isolation.equals("none")));
        assertThat(folder.resolve(".millrace")).doesNotExist();
    }

    @Test
    void theDemoSaysWhichPortIsTaken() throws IOException {
        try (ServerSocket taken = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            Said said = shell().run("demo");

            assertThat(said.code()).isEqualTo(ExitCode.UNAVAILABLE);
            assertThat(said.err())
                    .contains("port " + taken.getLocalPort() + " is in use", "eventsource.yaml");
        }
    }

    @Test
    void upAppliesItsFolderStopsInOrderAndKeepsItsData() throws Exception {
        Path definitions = home.resolve("examples/quickstart");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        AtomicInteger code = new AtomicInteger(-1);
        Thread server =
                Thread.ofPlatform()
                        .start(
                                () ->
                                        code.set(
                                                Main.run(
                                                        shell().surroundings(out, err),
                                                        "up",
                                                        definitions.toString(),
                                                        "--port",
                                                        "0")));
        Await.until("the server says that it is up", () -> text(out).contains("Ctrl-C stops it."));
        String api =
                text(out)
                        .lines()
                        .filter(line -> line.startsWith("  API"))
                        .findFirst()
                        .orElseThrow()
                        .substring(12);

        Recorder client = new Recorder(folder).variable("ARGO_SERVER", api.replace("http://", ""));
        assertThat(client.run("template", "list", "-o", "name").out()).isEqualTo("release\n");

        server.interrupt();
        server.join();
        assertThat(code).hasValue(0);
        assertThat(text(err)).contains("millrace: stopped");
        assertThat(client.run("list").code()).isEqualTo(ExitCode.UNAVAILABLE);

        Said rebuilt = shell().run("rebuild");
        assertThat(rebuilt.err()).isEmpty();
        assertThat(rebuilt.out()).contains("is made anew");
        assertThat(List.of(folder.resolve(".millrace").toFile().list())).isNotEmpty();
    }

    private Recorder shell() {
        return shell(Map.of());
    }

    private Recorder shell(Map<String, String> environment) {
        return new Recorder(folder).launcher(new MillraceLauncher(environment), home);
    }

    private static String text(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
