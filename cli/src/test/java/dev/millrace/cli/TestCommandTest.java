package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.Recorder.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of workflows, as files of users have them. */
final class TestCommandTest {

    private static final String WORKFLOW =
            """
            apiVersion: argoproj.io/v1alpha1
            kind: Workflow
            metadata:
              name: wf
            spec:
              entrypoint: main
              templates:
                - name: main
                  steps:
                    - - {name: first, template: work}
                    - - {name: second, template: work}
                - name: work
                  container: {image: alpine, command: [run]}
            """;

    @TempDir private Path folder;
    private Recorder shell;

    @BeforeEach
    void write() throws IOException {
        shell = new Recorder(folder);
        Files.writeString(folder.resolve("wf.yaml"), WORKFLOW);
    }

    private Said test(String text) throws IOException {
        Files.writeString(folder.resolve("a.test.yaml"), text);
        return shell.run("test", "a.test.yaml");
    }

    @Test
    void theExampleOfTheProjectPasses() {
        Path examples = Path.of("..", "examples", "testing").toAbsolutePath().normalize();
        Said said = new Recorder(examples).run("test", ".");
        assertThat(said.out()).contains("4 passed, 0 failed, in ");
        assertThat(said.err()).isEmpty();
        assertThat(said.code()).isZero();
    }

    @Test
    void aStepThatNothingIsSaidOfSucceedsAtOnce() throws IOException {
        Said said = test("workflow: wf.yaml\nthen: {phase: Succeeded, duration: 0s}\n");
        assertThat(said.out()).startsWith("ok   a.test.yaml:1 (0s of virtual time)\n");
        assertThat(said.code()).isZero();
    }

    @Test
    void whatWasExpectedInVainIsToldWithItsPlace() throws IOException {
        Said said =
                test(
                        """
                        name: all wrong
                        workflow: wf.yaml
                        steps:
                          - match: second
                            after: 5s
                            exitCode: 3
                          - match: third
                        then:
                          phase: Succeeded
                          message: fine
                          duration: 1s..2s
                          nodes:
                            first: Failed
                            "wf[1].second": Succeeded
                            fourth: Failed
                          path: [second, first]
                          outputs: {p: v}
                        """);
        assertThat(said.code()).isEqualTo(1);
        assertThat(said.out())
                .startsWith("FAIL a.test.yaml:1 all wrong\n")
                .contains(
                        "a.test.yaml:9:3: then.phase: expected Succeeded, got Failed: ",
                        "a.test.yaml:10:3: then.message: expected fine, got '",
                        "a.test.yaml:11:3: then.duration: expected 1s..2s, got 5s\n",
                        "a.test.yaml:13:5: then.nodes.first: expected Failed, got Succeeded\n",
                        "expected Succeeded, got Failed: main: Error (exit code 3)\n",
                        "a.test.yaml:15:5: then.nodes.fourth: expected Failed, but there is no such node; there are ",
                        "a.test.yaml:16:10: then.path[0]: expected second, got first; begun are first, second\n",
                        "a.test.yaml:17:13: then.outputs.p: expected 'v', got no output parameter of that name\n",
                        "a.test.yaml:7:5: steps[1].match: no step that began is third; begun are first, second")
                .contains("0 passed, 1 failed, in ");
    }

    @Test
    void whatIsWrittenWronglyIsToldWithItsPlaceAndNothingRuns() throws IOException {
        Said said =
                test(
                        """
                        workflow: wf.yaml
                        step: []
                        then: {phase: Succeeded}
                        ---
                        workflow: wf.yaml
                        steps:
                          - {match: first, after: soon, attempts: [{phase: Gone}]}
                        then: {phase: Done, duration: 1s..x}
                        ---
                        workflow: nowhere.yaml
                        then: {}
                        """);
        assertThat(said.code()).isEqualTo(1);
        assertThat(said.out())
                .contains(
                        "a.test.yaml:2:1: step: ",
                        "steps[0].after: 'soon' is no duration (write it like 10s, 1m30s or 500ms)",
                        "steps[0]: says how it goes both itself and in attempts",
                        "steps[0].attempts[0].phase: Gone: one of Succeeded, Failed, Error is expected",
                        "then.phase: Done: one of ",
                        "then.duration: 'x' is no duration",
                        "nowhere.yaml: there is no such file",
                        "0 passed, 3 failed");
    }

    @Test
    void aPauseWithoutAnEndIsNoEndlessWait() throws IOException {
        Files.writeString(
                folder.resolve("wf.yaml"),
                WORKFLOW.replace("container: {image: alpine, command: [run]}", "suspend: {}"));
        assertThat(test("workflow: wf.yaml\nthen: {}\n").out())
                .contains(
                        "a.test.yaml:2:1: then: the workflow does not end: nothing more happens after 0s, open are ",
                        "wf[0].first");
        assertThat(
                        test("workflow: wf.yaml\nsteps: [{match: work, after: 1h}]\nthen: {duration: 2h}\n")
                                .out())
                .startsWith("ok ");
        assertThat(
                        test("workflow: wf.yaml\nsteps: [{match: first, phase: Failed}]\nthen: {phase: Failed, path: [first]}\n")
                                .out())
                .startsWith("ok ");
    }

    @Test
    void anOutputThatTheTestForgetsIsAskedFor() throws IOException {
        Files.writeString(
                folder.resolve("wf.yaml"),
                WORKFLOW + "      outputs: {parameters: [{name: out, valueFrom: {path: /out}}]}\n");
        Said said = test("workflow: wf.yaml\nthen: {phase: Succeeded}\n");
        assertThat(said.out())
                .contains(
                        "steps: wf[0].first gives output parameter out, and nothing says what it is (",
                        "then.phase: expected Succeeded, got Failed: ",
                        " (wf[0].first: ");
    }

    @Test
    void anOutputThatIsComputedFromTheAnswerIsNotAskedFor() throws IOException {
        Files.writeString(
                folder.resolve("wf.yaml"),
                WORKFLOW.replace(
                                "container: {image: alpine, command: [run]}",
                                "http: {url: \"http://localhost/\"}")
                        + "      outputs: {parameters: [{name: id, globalName: id, valueFrom:"
                        + " {expression: \"fromJSON(outputs.result).id\"}}]}\n");
        Said said =
                test(
                        """
                        workflow: wf.yaml
                        steps:
                        - match: work
                          outputs: {result: '{"id": "a1"}'}
                        then: {phase: Succeeded, outputs: {id: a1}}
                        """);
        assertThat(said.out()).startsWith("ok   ");
    }

    @Test
    void deadlinesOfStepsAndOfTheWorkflowHoldInVirtualTime() throws IOException {
        Files.writeString(
                folder.resolve("wf.yaml"),
                WORKFLOW.replace(
                        "- name: work\n", "- name: work\n      activeDeadlineSeconds: 60\n"));
        assertThat(
                        test("workflow: wf.yaml\nsteps: [{match: first, after: 1h}]\nthen: {phase: Failed, duration: 1m}\n")
                                .out())
                .startsWith("ok ");
        Files.writeString(
                folder.resolve("wf.yaml"),
                WORKFLOW.replace(
                        "entrypoint: main", "entrypoint: main\n  activeDeadlineSeconds: 90"));
        assertThat(
                        test("workflow: wf.yaml\nsteps: [{match: work, after: 1m}]\nthen: {phase: Failed, duration: 90s, path: [first, second]}\n")
                                .out())
                .startsWith("ok ");
    }

    @Test
    void aDaemonIsReadyAfterItsTimeAndIsStoppedAtTheEnd() throws IOException {
        Files.writeString(
                folder.resolve("wf.yaml"),
                WORKFLOW.replace("{name: first, template: work}", "{name: first, template: served}")
                        + "    - name: served\n      daemon: true\n      container: {image: alpine, command: [serve]}\n");
        assertThat(
                        test("""
                                        workflow: wf.yaml
                                        steps: [{match: served, after: 5s}, {match: work, after: 10s}]
                                        then:
                                          phase: Succeeded
                                          duration: 15s
                                          path: [first, second]
                                          nodes: {first: Succeeded, second: Succeeded}
                                        """)
                                .out())
                .startsWith("ok ");
    }

    @Test
    void locksLetOneStepAfterTheOtherGo() throws IOException {
        Files.writeString(
                folder.resolve("wf.yaml"),
                WORKFLOW.replace("    - - {name: second", "      - {name: second")
                        .replace(
                                "- name: work\n",
                                "- name: work\n      synchronization: {semaphores: [{configMapKeyRef: {name: limits, key: a}}]}\n"));
        String limits =
                "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: limits}\ndata: {a: \"%d\"}\n";
        String test =
                "workflow: wf.yaml\ntemplates: [limits.yaml]\nsteps: [{match: work, after: 10s}]\nthen: {phase: Succeeded, duration: %s}\n";
        Files.writeString(folder.resolve("limits.yaml"), limits.formatted(1));
        assertThat(test(test.formatted("20s")).out()).startsWith("ok ");
        Files.writeString(folder.resolve("limits.yaml"), limits.formatted(2));
        assertThat(test(test.formatted("10s")).out()).startsWith("ok ");
    }

    @Test
    void templatesComeFromFurtherFilesAndATemplateIsTestedItself() throws IOException {
        Files.writeString(
                folder.resolve("lib.yaml"),
                WORKFLOW.replace("kind: Workflow", "kind: WorkflowTemplate")
                        .replace("name: wf", "name: lib"));
        assertThat(
                        test("""
                                        workflow:
                                          apiVersion: argoproj.io/v1alpha1
                                          kind: Workflow
                                          metadata: {generateName: by-}
                                          spec:
                                            workflowTemplateRef: {name: lib}
                                        templates: [lib.yaml]
                                        then: {phase: Succeeded, nodes: {by-test: Succeeded, "[0].first": Succeeded}}
                                        ---
                                        workflow: lib.yaml
                                        then: {phase: Succeeded, path: [first, second]}
                                        """)
                                .out())
                .contains("2 passed, 0 failed");
        Said missing =
                test(
                        """
                        workflow: {apiVersion: argoproj.io/v1alpha1, kind: Workflow, metadata: {name: a}, spec: {workflowTemplateRef: {name: lib}}}
                        then: {}
                        """);
        assertThat(missing.code()).isEqualTo(1);
        assertThat(missing.out())
                .contains(
                        "a.test.yaml: ",
                        "'lib' not found",
                        "name the file that has it under templates");
    }

    @Test
    void theSameFileGivesTheSameStoryAndVerboseShowsTheTree() throws IOException {
        Files.writeString(
                folder.resolve("a.test.yaml"),
                "workflow: wf.yaml\nsteps: [{match: '*', after: 7s}]\nthen: {duration: 14s}\n");
        String once = shell.run("test", "-v", "a.test.yaml").out();
        assertThat(once).contains("✔ wf", "├───✔ first", "7s").startsWith("ok ");
        assertThat(shell.run("test", "-v", "a.test.yaml").out().replaceAll("in \\d+ ms", ""))
                .isEqualTo(once.replaceAll("in \\d+ ms", ""));
        assertThat(shell.run("test", ".").out()).startsWith("ok   ./a.test.yaml:1 (14s");
        assertThat(shell.run("test", "wf.yaml").code()).isEqualTo(1);
    }
}
