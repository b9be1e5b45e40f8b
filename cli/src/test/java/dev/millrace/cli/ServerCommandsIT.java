package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.Recorder.Said;
import dev.millrace.cli.local.MillraceLauncher;
import dev.millrace.cli.local.TemporaryServer;
import dev.millrace.testkit.Await;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands against a real server. */
final class ServerCommandsIT {

    private static final String HELLO =
            """
            apiVersion: argoproj.io/v1alpha1
            kind: Workflow
            metadata:
              generateName: hello-
            spec:
              entrypoint: main
              arguments:
                parameters:
                  - name: whom
                    value: world
              templates:
                - name: main
                  steps:
                    - - name: greet
                        template: say
                - name: say
                  container:
                    image: alpine:3.23
                    command: [sh, -c]
                    args: ["echo hello {{workflow.parameters.whom}}; exit {{workflow.parameters.code}}"]
            """
                    .replace(
                            "- name: whom",
                            "- name: code\n        value: \"0\"\n      - name: whom");

    private static final String TEMPLATE =
            """
            apiVersion: argoproj.io/v1alpha1
            kind: WorkflowTemplate
            metadata:
              name: gate
            spec:
              entrypoint: main
              templates:
                - name: main
                  steps:
                    - - name: approve
                        template: approve
                - name: approve
                  suspend: {}
            """;

    private static TemporaryServer own;
    @TempDir private Path folder;
    private Recorder shell;

    @BeforeAll
    static void start() {
        own = TemporaryServer.start(new MillraceLauncher(Map.of()), 0, true, _ -> {});
    }

    @AfterAll
    static void stop() {
        own.close();
        assertThat(own.folder()).doesNotExist();
    }

    @BeforeEach
    void write() throws IOException {
        URI api = own.server().api();
        shell = new Recorder(folder).variable("MILLRACE_SERVER", api.toString());
        Files.writeString(folder.resolve("hello.yaml"), HELLO);
        Files.writeString(folder.resolve("gate.yaml"), TEMPLATE);
    }

    @Test
    void aSubmittedWorkflowIsWaitedForShownListedAndDeleted() {
        Said submitted =
                shell.run(
                        "submit",
                        "hello.yaml",
                        "--name",
                        "one",
                        "-p",
                        "whom=ada",
                        "-l",
                        "team=a",
                        "--wait");
        assertThat(submitted.err()).isEmpty();
        assertThat(submitted.code()).isZero();
        assertThat(submitted.out()).contains("one Succeeded at ");

        Said got = shell.run("get", "one");
        assertThat(got.out())
                .contains(
                        "Status:              Succeeded",
                        "  whom:",
                        "ada",
                        " ✔ one",
                        " └───✔ greet");
        assertThat(shell.run("get", "one", "-o", "yaml").out())
                .contains("phase: Succeeded", "  name: one");
        assertThat(shell.run("get", "one", "-o", "json").out()).startsWith("{");

        assertThat(shell.run("logs", "one").out()).matches("one-say-\\d+: hello ada\n");
        assertThat(shell.run("logs", "one", "--grep", "nothing like it").out()).isEmpty();

        assertThat(shell.run("list", "-l", "team=a").out()).contains("NAME", "one", "Succeeded");
        assertThat(shell.run("list", "-l", "team=b").out()).isEqualTo("No workflows found\n");
        assertThat(shell.run("list", "--running", "-o", "name").out()).doesNotContain("one");
        assertThat(shell.run("wait", "one").code()).isZero();

        assertThat(shell.run("delete", "one").out()).isEqualTo("workflow one deleted\n");
        Said gone = shell.run("get", "one");
        assertThat(gone.code()).isEqualTo(1);
        assertThat(gone.err()).isEqualTo("millrace: workflows.argoproj.io \"one\" not found\n");
    }

    @Test
    void aWorkflowThatFailsGivesTheExitCodeOfFailure() {
        Said said = shell.run("submit", "hello.yaml", "-p", "code=3", "--watch");

        assertThat(said.code()).isEqualTo(1);
        assertThat(said.out()).contains("✖").contains("Status:              Failed");
        assertThat(shell.run("submit", "hello.yaml", "-p", "code=3", "--log").out())
                .contains(": hello world", "Failed at");
        assertThat(shell.run("list", "--status", "Failed", "-o", "name").out().lines())
                .hasSizeGreaterThanOrEqualTo(2);
    }

    @Test
    void aTemplateIsAppliedStartedFromAndItsGateOpened() {
        assertThat(shell.run("apply", "-f", "gate.yaml").out())
                .isEqualTo("workflowtemplate/gate created\n");
        assertThat(shell.run("apply", "-f", "gate.yaml").out())
                .isEqualTo("workflowtemplate/gate unchanged\n");
        assertThat(shell.run("template", "list").out()).contains("gate");
        assertThat(shell.run("template", "get", "gate").out()).contains("entrypoint: main");

        Said started =
                shell.run(
                        "submit",
                        "--from",
                        "workflowtemplate/gate",
                        "--generate-name",
                        "g-",
                        "-o",
                        "name");
        assertThat(started.err()).isEmpty();
        String name = started.out().strip();
        assertThat(name).startsWith("g-");
        Await.until(
                "the gate is reached", () -> shell.run("get", name).out().contains("ǁ approve"));
        assertThat(shell.run("resume", name, "--node-field-selector", "displayName=approve").out())
                .isEqualTo("workflow " + name + " resumed\n");
        assertThat(shell.run("watch", name).code()).isZero();

        String second =
                shell.run("submit", "--from", "workflowtemplate/gate", "-o", "name").out().strip();
        assertThat(shell.run("suspend", second).out())
                .isEqualTo("workflow " + second + " suspended\n");
        assertThat(shell.run("stop", second, "--message", "enough").out())
                .isEqualTo("workflow " + second + " stopped\n");
        assertThat(shell.run("wait", second).code()).isEqualTo(1);
        String third = shell.run("submit", "--from", "wftmpl/gate", "-o", "name").out().strip();
        assertThat(shell.run("terminate", "@latest").out())
                .isEqualTo("workflow " + third + " terminated\n");
        assertThat(shell.run("template", "delete", "gate").code()).isZero();
        assertThat(shell.run("submit", "--from", "workflowtemplate/gate").code()).isEqualTo(1);
    }

    @Test
    void badInputIsRefusedWithItsPlaceAndTheServerStaysUp() throws IOException {
        Files.writeString(folder.resolve("misspelt.yaml"), HELLO.replace("image:", "imagee:"));
        Said misspelt = shell.run("submit", "misspelt.yaml");
        assertThat(misspelt.code()).isEqualTo(1);
        assertThat(misspelt.err()).contains("misspelt.yaml:", "imagee", "image");

        Files.writeString(folder.resolve("broken.yaml"), "a: [1\nb: 2\n");
        assertThat(shell.run("apply", "-f", "broken.yaml").code()).isEqualTo(1);
        assertThat(shell.run("apply", "-f", "broken.yaml").err()).contains("broken.yaml:");

        Files.writeString(
                folder.resolve("lost.yaml"), HELLO.replace("template: say", "template: shout"));
        Said lost = shell.run("lint", "lost.yaml");
        assertThat(lost.code()).isEqualTo(1);
        assertThat(lost.err()).contains("lost.yaml").contains("shout");
        assertThat(shell.run("lint", "hello.yaml", "gate.yaml").code()).isZero();
        assertThat(shell.run("submit", "lost.yaml").code()).isEqualTo(1);

        assertThat(shell.run("version").out()).contains("server at " + own.server().api());
    }

    @Test
    void whatAWorkflowStoredIsCopied() throws IOException {
        Files.writeString(
                folder.resolve("stores.yaml"),
                """
                apiVersion: argoproj.io/v1alpha1
                kind: Workflow
                metadata: {name: stores}
                spec:
                  entrypoint: main
                  templates:
                    - name: main
                      script:
                        image: alpine:3.23
                        command: [sh]
                        source: mkdir -p /out/d; echo one > /out/one; echo two > "/out/d/two 2"; echo log
                      outputs:
                        artifacts:
                          - {name: tree, path: /out, archive: {none: {}}}
                          - {name: packed, path: /out/one}
                """);
        assertThat(shell.run("submit", "stores.yaml", "--wait").code()).isZero();
        Said copied = shell.run("cp", "stores", "here");
        assertThat(copied.err()).isEmpty();
        assertThat(copied.code()).isZero();
        Path outputs = folder.resolve("here/default/stores/stores/outputs");
        assertThat(outputs.resolve("tree/one")).hasContent("one");
        assertThat(outputs.resolve("tree/d/two 2")).hasContent("two");
        assertThat(outputs.resolve("packed/packed.tgz")).isRegularFile();
        assertThat(
                        shell.run(
                                        "cp",
                                        "stores",
                                        "there",
                                        "--artifact-name",
                                        "packed",
                                        "--path",
                                        "{templateName}")
                                .out())
                .isEqualTo("Created %s%n".formatted(folder.resolve("there/main/packed.tgz")));
        Said none = shell.run("cp", "stores", "x", "--artifact-name", "none");
        assertThat(none.code()).isEqualTo(1);
        assertThat(none.err()).contains("no such output artifact");
    }

    @Test
    void eventsAreListedAndShown() {
        assertThat(shell.run("events", "list").out()).isEqualTo("No events found\n");
        Said none = shell.run("events", "show", "nothing");
        assertThat(none.code()).isEqualTo(1);
        assertThat(none.err()).contains("event \"nothing\" not found");
    }

    @Test
    void aFolderThatIsInUseIsNotTakenAndItsReadModelIsNotRebuilt() {
        Recorder here = new Recorder(folder).launcher(new MillraceLauncher(Map.of()), folder);
        String data = own.folder().toString();
        Said up = here.run("up", "--data", data, "--port", "0");
        assertThat(up.code()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(up.err()).contains(data).contains("use");
        assertThat(here.run("rebuild", "--data", data).code()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(here.run("rebuild").err()).contains("is no data folder");

        Said port = here.run("up", "--port", Integer.toString(own.server().api().getPort()));
        assertThat(port.code()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(port.err()).contains("in use", "--port");
    }
}
