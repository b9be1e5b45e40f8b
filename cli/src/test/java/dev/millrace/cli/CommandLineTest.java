package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.Recorder.Said;
import dev.millrace.schemas.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What happens before anything is sent anywhere. */
final class CommandLineTest {

    // Nothing listens at port 1; who gets as far as a request ends with another code.
    private final Recorder shell =
            new Recorder(Path.of("nowhere")).variable("MILLRACE_SERVER", "http://127.0.0.1:1");

    private static final String HELLO =
            """
            apiVersion: argoproj.io/v1alpha1
            kind: Workflow
            metadata:
              generateName: x-
            spec:
              entrypoint: main
              templates:
                - name: main
                  container: {image: alpine, command: [echo]}
            """;

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
                "events list -o xml",
                "events show x -o name",
                "logs wf --since-time yesterday",
                "logs wf --since 1m --since-time 2026-01-01T00:00:00Z",
                "logs wf --previous",
                "stop wf --message enough",
                "stop",
                "terminate wf -l a=b",
                "suspend --dry-run",
                "resume",
                "list --chunk-size -1",
                "submit --from workflowtemplate/x --dry-run",
                "submit --from workflowtemplate/x --dry-run -o wide",
                "submit --from workflowtemplate/x --server-dry-run -o yaml --wait",
                "submit --from workflowtemplate/x --priority high",
                "lint x.yaml -o xml",
                "lint x.yaml --kinds nonsense",
                "help nonsense",
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
    }

    @Test
    void aFolderIsCheckedToItsEndWhateverIsInIt(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("a-empty.yaml"), "");
        Files.write(folder.resolve("b-latin.yaml"), new byte[] {'a', ':', ' ', (byte) 0xe9});
        Files.writeString(folder.resolve("c-comment.yaml"), "# nothing yet\n---\n");
        Files.writeString(folder.resolve("d-broken.yaml"), "kind: [");
        Files.writeString(folder.resolve("e-good.yaml"), HELLO);
        Recorder here = new Recorder(folder);

        Said said = here.run("lint", "--offline", ".");

        assertThat(said.code()).isEqualTo(ExitCode.FAILED);
        assertThat(said.err().lines())
                .satisfiesExactly(
                        latin ->
                                assertThat(latin)
                                        .startsWith("./b-latin.yaml: is not text in UTF-8"),
                        broken -> assertThat(broken).startsWith("./d-broken.yaml:1:"));
        assertThat(said.out())
                .isEqualTo(
                        """
                        ./a-empty.yaml: there is no manifest in it
                        ./c-comment.yaml: there is no manifest in it
                        ./e-good.yaml: no errors in 1 manifests
                        """);

        Files.delete(folder.resolve("b-latin.yaml"));
        Files.delete(folder.resolve("d-broken.yaml"));
        assertThat(here.run("lint", "--offline", ".").code()).isZero();
    }

    @Test
    void standardInputIsNotGuessedAtEither() {
        Recorder bytes = shell.input(new byte[] {'a', ':', ' ', (byte) 0xe9});
        assertThat(bytes.run("lint", "--offline", "-").err()).startsWith("-: is not text in UTF-8");
    }

    @Test
    void unknownFieldsAreErrorsUnlessLintIsTold() {
        String misspelt = HELLO.replace("entrypoint", "entrypiont: main\n  entrypoint");
        Said strict = shell.input(misspelt).run("lint", "--offline", "--strict", "-");
        assertThat(strict.code()).isEqualTo(ExitCode.FAILED);
        assertThat(strict.err()).startsWith("stdin:6:3: spec.entrypiont: unknown field");

        Said lenient = shell.input(misspelt).run("lint", "--offline", "--strict=false", "-");
        assertThat(lenient.code()).isZero();
        assertThat(lenient.err()).startsWith("warning: stdin:6:3: spec.entrypiont: unknown field");
    }

    @Test
    void lintTellsFaultsOfStructureAndOfMeaningOfAllDocumentsAtOnce() {
        String first =
                HELLO.replace("entrypoint: main", "entrypoint: mian").replace("image:", "imagee:");
        String second =
                """
                apiVersion: argoproj.io/v1alpha1
                kind: WorkflowEventBinding
                metadata: {name: lost}
                spec:
                  event: &shared
                    selector: "]"
                  submit: {workflowTemplateRef: {name: nowhere}}
                """;
        int below = (int) (first + "---\n").lines().count();

        Said said =
                shell.input(first + "---\n" + second).run("lint", "--offline", "-o", "json", "-");

        assertThat(said.code()).isEqualTo(ExitCode.FAILED);
        assertThat(said.err()).isEmpty();
        JsonNode problems = Json.mapper().readTree(said.out());
        assertThat(problems.valueStream().map(p -> p.path("path").asString("")))
                .containsExactly(
                        "spec.entrypoint",
                        "spec.templates[0].container.imagee",
                        "spec.event.selector",
                        "spec.submit.workflowTemplateRef.name");
        assertThat(problems.valueStream().map(p -> p.path("hint").asString("")).limit(2))
                .containsExactly("did you mean main?", "did you mean image?");
        assertThat(problems.path(2).path("line").asInt()).isEqualTo(below + 6);
        assertThat(problems.valueStream()).allMatch(p -> p.path("file").asString("").equals("-"));
    }

    @Test
    void lintTellsInTheFormAndOfTheKindsThatAreWanted() {
        String two = HELLO + "---\n" + HELLO.replace("Workflow", "CronWorkflow");
        Said pretty = shell.input(two).run("lint", "--offline", "-o", "pretty", "-");
        assertThat(pretty.code()).isEqualTo(ExitCode.FAILED);
        assertThat(pretty.err()).startsWith("-:\n   ✖ stdin:").contains(" linting errors found!\n");

        Said one =
                shell.input(two)
                        .run("lint", "--offline", "--kinds", "workflows", "-o", "pretty", "-");
        assertThat(one.err()).isEmpty();
        assertThat(one.code()).isZero();
        assertThat(one.out()).isEqualTo("✔ no linting errors found!\n");
    }

    @Test
    void aDryRunPrintsWhatWouldBeSentAndNeedsNoServer() {
        Said said =
                shell.input(HELLO)
                        .run(
                                ("submit - --dry-run -o yaml --serviceaccount robot --priority 7 --labels a=b"
                                                + " --entrypoint other")
                                        .split(" "));

        assertThat(said.err()).isEmpty();
        assertThat(said.code()).isZero();
        assertThat(said.out())
                .contains("serviceAccountName: robot", "priority: 7", "a: b", "entrypoint: other");
    }

    @Test
    void everyFileThatCannotBeUsedIsNamedBeforeAnyIsSent(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("good.yaml"), HELLO);
        Files.writeString(folder.resolve("broken.yaml"), "kind: [");
        Recorder here = new Recorder(folder).variable("MILLRACE_SERVER", "http://127.0.0.1:1");

        Said said = here.run("submit", "good.yaml", "broken.yaml", "gone.yaml");

        assertThat(said.code()).isEqualTo(ExitCode.FAILED);
        assertThat(said.err())
                .startsWith("broken.yaml:1:")
                .contains("\ngone.yaml: there is no such file");
    }

    @Test
    void helpOfACommandIsThatOfTheCommand() {
        assertThat(shell.run("help")).isEqualTo(shell.run("--help"));
        assertThat(shell.run("help", "logs")).isEqualTo(shell.run("logs", "--help"));
        assertThat(shell.run("help", "events", "list"))
                .isEqualTo(shell.run("events", "list", "--help"));
        assertThat(shell.run("logs", "--help").out()).doesNotContain("--previous");
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
