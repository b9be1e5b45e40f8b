package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.Recorder.Said;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What happens before anything is sent anywhere. */
final class CommandLineTest {

    // Nothing listens at port 1; who gets as far as a request ends with another code.
    private final Recorder shell =
            new Recorder(Path.of("nowhere")).variable("MILLRACE_SERVER", "http://127.0.0.1:1");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nonsense",
                "get",
                "get wf -o xml",
                "list --running --completed",
                "list --status Done",
                "list --since yesterday",
                "list --nonsense",
                "delete",
                "delete wf --all",
                "submit",
                "submit file.yaml --from workflowtemplate/x",
                "submit --from x",
                "submit --from workflowtemplate/x -p nonsense",
                "submit --from workflowtemplate/x -l nonsense",
                "submit --from workflowtemplate/x -o xml",
                "apply",
                "logs wf --tail -1",
                "logs wf --since soon",
                "events list --limit 0",
                "up no-such-folder",
                "up --port 70000",
                "completion fish",
                "list --server ftp://x"
            })
    void aCommandLineThatMakesNoSenseGivesTwoAndSaysWhy(String line) {
        Said said = shell.run(line.split(" "));

        assertThat(said.code()).as(said.err()).isEqualTo(ExitCode.USAGE);
        assertThat(said.err()).startsWith("millrace: ").contains("--help").doesNotContain("\tat ");
        assertThat(said.out()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "list",
                "get wf",
                "logs wf",
                "wait wf",
                "stop wf",
                "events list",
                "submit --from wftmpl/x"
            })
    void withoutAServerTheErrorSaysHowToGetOne(String line) {
        Said said = shell.run(line.split(" "));

        assertThat(said.code()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(said.err())
                .isEqualTo(
                        "millrace: no server answers at http://127.0.0.1:1. Start one with 'millrace up', or name another with --server\n");
    }

    @Test
    void verboseShowsTheStackOfAnError() {
        assertThat(shell.run("list", "-v").err()).contains("\tat dev.millrace.cli");
    }

    @Test
    void aFileThatIsNotThereIsNamed() {
        for (String command : new String[] {"submit", "run", "apply", "lint"}) {
            Said said = shell.run(command, "no-such-file.yaml");
            assertThat(said.code()).isEqualTo(ExitCode.FAILED);
            assertThat(said.err()).contains("no-such-file.yaml: there is no such file");
        }
    }

    @Test
    void everyCommandHasHelp() {
        Said root = shell.run("--help");
        assertThat(root.code()).isZero();
        root.out()
                .lines()
                .filter(line -> line.matches("  [a-z]+ +\\S.*"))
                .map(line -> line.strip().split(" ")[0])
                .forEach(
                        command -> {
                            Said help = shell.run(command, "--help");
                            assertThat(help.code()).as(command).isZero();
                            assertThat(help.out()).contains("Usage: millrace " + command);
                        });
        assertThat(root.out()).contains("demo", "completion");
    }

    @Test
    void withoutACommandTheHelpIsShownAndTheCodeIsThatOfUsage() {
        Said said = shell.run();

        assertThat(said.code()).isEqualTo(ExitCode.USAGE);
        assertThat(said.out()).contains("Usage: millrace");
    }

    @Test
    void manifestsAreCheckedOfflineWithPlacesFromStandardInputToo() {
        String sensible =
                """
                apiVersion: argoproj.io/v1alpha1
                kind: Workflow
                metadata:
                  generateName: x-
                spec:
                  entrypoint: main
                  templates:
                    - name: main
                      steps:
                        - - name: a
                            templateRef:
                              name: shared
                              template: say
                ---
                apiVersion: argoproj.io/v1alpha1
                kind: WorkflowTemplate
                metadata:
                  name: shared
                spec:
                  templates:
                    - name: say
                      container:
                        image: alpine
                        command: [echo]
                """;
        Said good = shell.input(sensible).run("lint", "--offline", "-");
        assertThat(good.err()).isEmpty();
        assertThat(good.out()).isEqualTo("-: no errors in 2 manifests\n");
        assertThat(good.code()).isZero();

        Said bad =
                shell.input(sensible.replace("template: say", "template: shout"))
                        .run("lint", "--offline", "-");
        assertThat(bad.code()).isEqualTo(ExitCode.FAILED);
        assertThat(bad.err()).contains("stdin:", "shout");

        Said broken = shell.input("kind: [").run("lint", "--offline", "-");
        assertThat(broken.code()).isEqualTo(ExitCode.FAILED);
        assertThat(broken.err()).startsWith("stdin:1:");
        assertThat(shell.input("").run("lint", "--offline", "-").err())
                .contains("there is no manifest in it");
    }

    @Test
    void theCompletionScriptKnowsTheCommands() {
        assertThat(shell.run("completion").out())
                .contains("submit", "--node-field-selector", "millrace");
    }

    @Test
    void coloursAreForTerminalsOnly() {
        assertThat(new Recorder(Path.of("x")).run("--help").out()).doesNotContain("\u001b");
        assertThat(new Recorder(Path.of("x")).terminal(80, 24).run("--help").out())
                .contains("\u001b");
        assertThat(
                        new Recorder(Path.of("x"))
                                .terminal(80, 24)
                                .variable("NO_COLOR", "1")
                                .run("--help")
                                .out())
                .doesNotContain("\u001b");
    }
}
