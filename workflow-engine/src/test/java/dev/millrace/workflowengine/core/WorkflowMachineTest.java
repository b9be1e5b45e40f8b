package dev.millrace.workflowengine.core;

import static dev.millrace.workflowengine.core.Scenario.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.record.CommandAnswer;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.WorkflowPhase;
import dev.millrace.schemas.record.WorkflowStage;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class WorkflowMachineTest {
    private static final String LEAF =
            """
            - name: leaf
              container: {image: busybox, command: [run]}
            """;

    private static String dag(String tasks) {
        return "entrypoint: main\ntemplates:\n- name: main\n  dag:\n    tasks:\n"
                + tasks.indent(4)
                + LEAF;
    }

    private static String steps(String groups) {
        return "entrypoint: main\ntemplates:\n- name: main\n  steps:\n" + groups.indent(2) + LEAF;
    }

    @Test
    void aDiamondStartsItsLastTaskWhenBothBranchesAreDone() {
        Scenario s =
                given(
                        dag(
                                """
                                - {name: A, template: leaf}
                                - {name: B, template: leaf, depends: A}
                                - {name: C, template: leaf, depends: A}
                                - {name: D, template: leaf, depends: B && C}
                                """));
        assertThat(s.running()).containsExactly("wf.A");
        s.succeeds("wf.A");
        assertThat(s.running()).containsExactly("wf.B", "wf.C");
        s.succeeds("wf.B");
        assertThat(s.running()).containsExactly("wf.C");
        s.succeeds("wf.C").succeeds("wf.D").isFinished(WorkflowPhase.SUCCEEDED, null);
    }

    @Test
    void aFailedTaskOmitsItsDependentsAndFailsTheDag() {
        given(
                        dag(
                                """
                                - {name: A, template: leaf}
                                - {name: B, template: leaf, depends: A}
                                - {name: C, template: leaf, depends: B}
                                """))
                .fails("wf.A", 3)
                .isFinished(WorkflowPhase.FAILED, null)
                .phases(
                        Map.of(
                                "wf.A",
                                NodePhase.FAILED,
                                "wf.B",
                                NodePhase.OMITTED,
                                "wf.C",
                                NodePhase.OMITTED));
    }

    @Test
    void aFailureThatIsHandledDoesNotFailTheDag() {
        given(
                        dag(
                                """
                                - {name: A, template: leaf}
                                - {name: cure, template: leaf, depends: A.Failed}
                                """))
                .fails("wf.A", 1)
                .succeeds("wf.cure")
                .isFinished(WorkflowPhase.SUCCEEDED, null);
    }

    @Test
    void independentBranchesGoOnAfterAFailure() {
        Scenario s =
                given(
                        dag(
                                "- {name: A, template: leaf}\n- {name: B, template: leaf}\n- {name: C, template: leaf, depends: B}\n"));
        s.fails("wf.A", 1);
        assertThat(s.head().phase()).isEqualTo(WorkflowPhase.RUNNING);
        s.succeeds("wf.B").succeeds("wf.C").isFinished(WorkflowPhase.FAILED, null);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "withSequence: {count: 1000000}",
                "withSequence: {count: 9007199254740000}",
                "withSequence: {start: -9007199254740000, end: 9007199254740000}",
                "withSequence: {start: 200000, end: 1}"
            })
    void aLoopOverTooManyItemsIsAnErrorAndNoNodes(String loop) {
        String message = "items, but at most 100000 are possible";
        Scenario dag = given(dag("- {name: A, template: leaf, " + loop + "}"));
        assertThat(dag.head().phase()).isEqualTo(WorkflowPhase.ERROR);
        assertThat(dag.node("wf.A").message()).contains(message);
        Scenario steps = given(steps("- - {name: A, template: leaf, " + loop + "}"));
        assertThat(steps.node("wf[0]").message()).contains(message);
        assertThat(steps.running()).isEmpty();
    }

    @Test
    void groupsOfStepsFollowEachOther() {
        Scenario s =
                given(
                        steps(
                                "- - {name: a, template: leaf}\n  - {name: b, template: leaf}\n- - {name: c, template: leaf}\n"));
        assertThat(s.running()).containsExactly("wf[0].a", "wf[0].b");
        s.succeeds("wf[0].b").succeeds("wf[0].a");
        assertThat(s.running()).containsExactly("wf[1].c");
        s.succeeds("wf[1].c").isFinished(WorkflowPhase.SUCCEEDED, null);
    }

    @Test
    void aFailedStepFailsItsGroupWhenTheOthersAreDone() {
        Scenario s =
                given(
                        steps(
                                "- - {name: a, template: leaf}\n  - {name: b, template: leaf}\n- - {name: c, template: leaf}\n"));
        s.fails("wf[0].a", 2);
        assertThat(s.head().phase()).isEqualTo(WorkflowPhase.RUNNING);
        s.succeeds("wf[0].b");
        String message = "child '" + NodeNames.id("wf", "wf[0].a") + "' failed";
        s.isFinished(WorkflowPhase.FAILED, message);
        assertThat(s.has("wf[1]")).isFalse();
    }

    @Test
    void aConditionThatIsFalseSkipsTheStep() {
        Scenario s = given(steps("- - {name: a, template: leaf, when: \"1 == 2\"}\n"));
        s.isFinished(WorkflowPhase.SUCCEEDED, null);
        assertThat(s.node("wf[0].a").message()).isEqualTo("when '1 == 2' evaluated false");
    }

    @Test
    void aLoopOverNothingIsSkipped() {
        Scenario s = given(steps("- - {name: a, template: leaf, withParam: \"[]\"}\n"));
        s.isFinished(WorkflowPhase.SUCCEEDED, null);
        assertThat(s.node("wf[0].a").message()).isEqualTo("Skipped, empty params");
    }

    @Test
    void aLoopOverNoListIsAnErrorThatShowsTheText() {
        Scenario s = given(steps("- - {name: a, template: leaf, withParam: nonsense}\n"));
        assertThat(s.head().phase()).isEqualTo(WorkflowPhase.FAILED);
        assertThat(s.head().message())
                .startsWith("withParam value could not be parsed as a JSON list: nonsense");
    }

    @Test
    void retriesWaitForTheirBackoffAndGiveUpAtTheLimit() {
        Scenario s =
                given(
                        """
                        entrypoint: main
                        templates:
                        - name: main
                          retryStrategy: {limit: 2, backoff: {duration: 10s, factor: 2}}
                          container: {image: busybox, command: [run]}
                        """);
        s.fails("wf(0)", 1);
        assertThat(s.running()).isEmpty();
        assertThat(s.node("wf").message()).isEqualTo("Backoff for 10 seconds");
        s.after(Duration.ofSeconds(9));
        assertThat(s.running()).isEmpty();
        s.after(Duration.ofSeconds(1));
        assertThat(s.running()).containsExactly("wf(1)");
        assertThat(s.node("wf").message()).isNull();
        s.fails("wf(1)", 1).after(Duration.ofSeconds(19));
        assertThat(s.running()).isEmpty();
        s.after(Duration.ofSeconds(1))
                .fails("wf(2)", 7)
                .isFinished(WorkflowPhase.FAILED, "No more retries left");
        assertThat(s.node("wf").outputs()).isNotNull().extracting("exitCode").isEqualTo("7");
    }

    @Test
    void anErrorIsNotRetriedUnlessThePolicySaysSo() {
        String workflow =
                """
                entrypoint: main
                templates:
                - name: main
                  retryStrategy: {limit: 2, retryPolicy: %s}
                  container: {image: busybox, command: [run]}
                """;
        given(workflow.formatted("OnFailure"))
                .errs("wf(0)", "lost")
                .isFinished(WorkflowPhase.ERROR, "lost");
        assertThat(given(workflow.formatted("Always")).errs("wf(0)", "lost").running())
                .containsExactly("wf(1)");
    }

    @Test
    void anAttemptKnowsTheOneBeforeIt() {
        Scenario s =
                given(
                        """
                        entrypoint: main
                        templates:
                        - name: main
                          retryStrategy: {limit: 1}
                          container: {image: busybox, command: [run, "{{retries}}", "{{lastRetry.exitCode}}"]}
                        """);
        assertThat(s.requested("wf(0)").template().container().command())
                .containsExactly("run", "0", "0");
        s.fails("wf(0)", 5);
        assertThat(s.requested("wf(1)").template().container().command())
                .containsExactly("run", "1", "5");
    }

    @Test
    void theExitHandlerKnowsHowItEnded() {
        Scenario s =
                given(
                        """
                        entrypoint: leaf
                        onExit: bye
                        templates:
                        - name: bye
                          container: {image: busybox, command: [echo, "{{workflow.status}}"]}
                        """
                                + LEAF);
        s.fails("wf", 1);
        assertThat(s.head().phase()).isEqualTo(WorkflowPhase.RUNNING);
        assertThat(s.requested("wf.onExit").template().container().command())
                .containsExactly("echo", "Failed");
        s.succeeds("wf.onExit").isFinished(WorkflowPhase.FAILED, "main: Error (exit code 1)");
    }

    @Test
    void aFailedExitHandlerFailsTheWorkflow() {
        Scenario s = given("entrypoint: leaf\nonExit: leaf\ntemplates:\n" + LEAF);
        s.succeeds("wf")
                .fails("wf.onExit", 4)
                .isFinished(WorkflowPhase.FAILED, "main: Error (exit code 4)");
    }

    @Test
    void stopEndsWhatRunsAndStillCallsTheExitHandler() {
        Scenario s =
                given(
                        "onExit: leaf\n"
                                + dag(
                                        "- {name: A, template: leaf}\n- {name: B, template: leaf, depends: A}\n"));
        s.starts("wf.A").stop();
        assertThat(s.stopped()).hasSize(1);
        assertThat(s.node("wf.A").message()).isEqualTo("workflow shutdown with strategy:  Stop");
        assertThat(s.running()).containsExactly("wf.onExit");
        s.succeeds("wf.onExit").isFinished(WorkflowPhase.FAILED, "Stopped with strategy 'Stop'");
    }

    @Test
    void terminateCallsNoExitHandler() {
        Scenario s = given("onExit: leaf\n" + dag("- {name: A, template: leaf}\n"));
        s.terminate().isFinished(WorkflowPhase.FAILED, "Stopped with strategy 'Terminate'");
        assertThat(s.has("wf.onExit")).isFalse();
    }

    @Test
    void aFinishedWorkflowCannotBeStopped() {
        Scenario s = given("entrypoint: leaf\ntemplates:\n" + LEAF).succeeds("wf").stop();
        assertThat(s.lastAnswer().code()).isEqualTo(CommandAnswer.FAILED_PRECONDITION);
        assertThat(s.lastAnswer().message()).startsWith("cannot shutdown a completed workflow");
    }

    @Test
    void aSuspendedWorkflowObservesButStartsNothing() {
        Scenario s =
                given(
                        dag(
                                "- {name: A, template: leaf}\n- {name: B, template: leaf, depends: A}\n"));
        s.suspend().succeeds("wf.A");
        assertThat(s.node("wf.A").phase()).isEqualTo(NodePhase.SUCCEEDED);
        assertThat(s.running()).isEmpty();
        s.resume(null);
        assertThat(s.running()).containsExactly("wf.B");
    }

    @Test
    void aWorkflowMayBeBornSuspended() {
        Scenario s = given("suspend: true\nentrypoint: leaf\ntemplates:\n" + LEAF);
        assertThat(s.running()).isEmpty();
        s.resume(null);
        assertThat(s.running()).containsExactly("wf");
    }

    @Test
    void aPauseEndsByResumeOrByItself() {
        String workflow =
                "entrypoint: main\ntemplates:\n- name: main\n  suspend: {duration: \"20\"}\n";
        Scenario byHand = given(workflow).resume("displayName=wf");
        byHand.isFinished(WorkflowPhase.SUCCEEDED, "Resumed by: map[User:ann]");
        Scenario byItself = given(workflow).after(Duration.ofSeconds(20));
        byItself.isFinished(WorkflowPhase.SUCCEEDED, null);
    }

    @Test
    void resumingANodeThatDoesNotWaitIsRefused() {
        Scenario s = given("entrypoint: main\ntemplates:\n- name: main\n  suspend: {}\n");
        s.resume("displayName=other");
        assertThat(s.lastAnswer().code()).isEqualTo(CommandAnswer.INVALID_ARGUMENT);
        assertThat(s.lastAnswer().message()).contains("displayName=other");
        assertThat(s.head().phase()).isEqualTo(WorkflowPhase.RUNNING);
    }

    @Test
    void theDeadlineOfTheWorkflowEndsWhatRuns() {
        Scenario s = given("activeDeadlineSeconds: 30\n" + dag("- {name: A, template: leaf}\n"));
        s.after(Duration.ofSeconds(31));
        assertThat(s.node("wf.A").message()).isEqualTo("Step exceeded its deadline");
        s.isFinished(WorkflowPhase.FAILED, null);
    }

    @Test
    void parallelismOfTheTemplateHoldsChildrenBack() {
        Scenario s =
                given(
                        """
                        entrypoint: main
                        templates:
                        - name: main
                          parallelism: 2
                          steps:
                          - - {name: a, template: leaf, withSequence: {count: 5}}
                        """
                                + LEAF);
        assertThat(s.running()).containsExactly("wf[0].a(0:0)", "wf[0].a(1:1)");
        s.succeeds("wf[0].a(1:1)");
        assertThat(s.running()).containsExactly("wf[0].a(0:0)", "wf[0].a(2:2)");
        s.succeeds("wf[0].a(0:0)")
                .succeeds("wf[0].a(2:2)")
                .succeeds("wf[0].a(3:3)")
                .succeeds("wf[0].a(4:4)");
        s.isFinished(WorkflowPhase.SUCCEEDED, null);
    }

    @Test
    void parallelismOfTheWorkflowHoldsStepsBack() {
        Scenario s =
                given(
                        "parallelism: 1\n"
                                + dag(
                                        "- {name: A, template: leaf}\n- {name: B, template: leaf}\n"));
        assertThat(s.running()).containsExactly("wf.A");
        s.succeeds("wf.A");
        assertThat(s.running()).containsExactly("wf.B");
        s.succeeds("wf.B").isFinished(WorkflowPhase.SUCCEEDED, null);
    }

    @Test
    void aRepeatedCommandGetsTheFirstAnswer() {
        Scenario s = given("entrypoint: leaf\ntemplates:\n" + LEAF);
        s.submitAgain("submit");
        assertThat(s.lastAnswer().accepted()).isTrue();
        s.submitAgain("another");
        assertThat(s.lastAnswer().code()).isEqualTo(CommandAnswer.ALREADY_EXISTS);
        assertThat(s.running()).containsExactly("wf");
    }

    @Test
    void afterADeletionALateRepeatStartsNothingButANewSubmissionDoes() {
        Scenario s = given("entrypoint: leaf\ntemplates:\n" + LEAF);
        var manifest = s.state().source().manifest();
        s.delete();
        assertThat(s.head().stage()).isEqualTo(WorkflowStage.DELETED);
        assertThat(s.state().nodes()).isEmpty();
        assertThat(s.stopped()).hasSize(1);
        s.submit("submit", manifest);
        assertThat(s.head().stage()).isEqualTo(WorkflowStage.DELETED);
        s.submit("new", manifest);
        assertThat(s.head().stage()).isEqualTo(WorkflowStage.MAIN);
        assertThat(s.running()).containsExactly("wf");
    }

    @Test
    void aReportAfterTheEndChangesNothing() {
        Scenario s = given("entrypoint: leaf\ntemplates:\n" + LEAF);
        var spec = s.requested("wf");
        s.fails("wf", 1);
        var before = s.head();
        var late =
                new dev.millrace.schemas.record.StepReport.Finished(
                        spec.stepId(),
                        spec.nodeId(),
                        spec.workflow(),
                        before.finishedAt(),
                        null,
                        new dev.millrace.schemas.record.StepOutcome(
                                NodePhase.SUCCEEDED, null, 0, null, Map.of()));
        assertThat(
                        new WorkflowMachine()
                                .decide(
                                        s.state(),
                                        "default",
                                        "wf",
                                        new WorkflowInput.Report(late),
                                        before.finishedAt()))
                .isEmpty();
    }

    @Test
    void outputsGoFromTaskToTask() {
        Scenario s =
                given(
                        """
                        entrypoint: main
                        templates:
                        - name: main
                          dag:
                            tasks:
                            - {name: A, template: makes}
                            - name: B
                              template: takes
                              depends: A
                              arguments: {parameters: [{name: x, value: "<{{tasks.A.outputs.parameters.out}}> {{tasks.A.outputs.result}}"}]}
                        - name: makes
                          container: {image: busybox, command: [run]}
                          outputs: {parameters: [{name: out, globalName: everywhere, valueFrom: {path: /tmp/out}}]}
                        - name: takes
                          inputs: {parameters: [{name: x}]}
                          container: {image: busybox, command: [run, "{{inputs.parameters.x}}", "{{workflow.outputs.parameters.everywhere}}"]}
                        """);
        assertThat(s.requested("wf.A").captureResult()).isTrue();
        s.gives("wf.A", "said \"so\"", Map.of("out", "7"));
        assertThat(s.input("wf.B", "x")).isEqualTo("<7> said \"so\"");
        assertThat(s.requested("wf.B").template().container().command())
                .containsExactly("run", "<7> said \"so\"", "7");
    }

    @Test
    void templatesThatCallThemselvesForEverAreStopped() {
        Scenario s =
                given(
                        "entrypoint: main\ntemplates:\n- name: main\n  steps:\n  - - {name: again, template: main}\n");
        assertThat(s.head().phase()).isEqualTo(WorkflowPhase.FAILED);
        assertThat(s.state().nodes()).hasSizeLessThan(250);
    }

    @Test
    void stopEndsAHugeLoopInPortions() {
        Scenario s = given(steps("- - {name: a, template: leaf, withSequence: {count: 1000}}\n"));
        assertThat(s.running()).hasSize(1000);
        int before = s.history().size();
        s.stop();
        assertThat(s.head().phase()).isEqualTo(WorkflowPhase.FAILED);
        assertThat(s.stopped()).hasSize(1000);
        assertThat(s.history().size() - before).isGreaterThan(4);
        s.history().forEach(d -> assertThat(d.events()).hasSizeLessThan(1500));
    }

    @Test
    void stopEndsALoopThatWaitsForASlot() {
        Scenario s =
                given(
                        """
                        entrypoint: main
                        parallelism: 1
                        templates:
                        - name: main
                          dag:
                            tasks:
                            - {name: loop, template: leaf, withSequence: {count: 3}}
                            - {name: other, template: leaf}
                        """
                                + LEAF);
        assertThat(s.running()).containsExactly("wf.loop(0:0)");
        s.succeeds("wf.loop(0:0)").succeeds("wf.loop(1:1)");
        assertThat(s.running()).containsExactly("wf.other");
        s.stop();
        s.isFinished(WorkflowPhase.FAILED, "Stopped with strategy 'Stop'");
        assertThat(s.state().openNodes()).isEmpty();
    }

    @Test
    void twoNamesWithTheSameHashAreTwoNodes() {
        // The 32-bit hashes of these two items' names are equal (found by search).
        Scenario s = given(steps("- - {name: a, template: leaf, withItems: [246379, 583914]}\n"));
        assertThat(s.state().nodes()).anyMatch(id -> id.matches("wf-\\d+-1"));
        assertThat(s.state().nodes()).hasSize(4);
        s.running().forEach(s::succeeds);
        s.isFinished(WorkflowPhase.SUCCEEDED, null);
    }

    @Test
    void aMemberThatCannotStartEndsItsGroupWhenTheOthersAreDone() {
        Scenario s =
                Scenario.given(
                        """
                        entrypoint: main
                        templates:
                        - name: main
                          dag:
                            tasks:
                            - {name: a, template: group}
                            - {name: b, template: run, depends: a.Failed}
                        - name: group
                          steps:
                          - - {name: long, template: inner}
                            - {name: wrong, template: takes}
                            - {name: never, template: run}
                        - name: inner
                          steps: [[{name: one, template: run}], [{name: two, template: run}]]
                        - name: takes
                          inputs: {artifacts: [{name: in, path: /in}]}
                          container: {image: busybox, command: [run]}
                        - name: run
                          container: {image: busybox, command: [run]}
                        """);
        assertThat(s.running()).containsExactly("wf.a[0].long[0].one");
        s.succeeds("wf.a[0].long[0].one").succeeds("wf.a[0].long[1].two");
        String why =
                "step group deemed errored due to child wf.a[0].wrong error: inputs.artifacts.in was not supplied";
        assertThat(s.node("wf.a[0]").phase()).isEqualTo(NodePhase.ERROR);
        assertThat(s.node("wf.a[0]").message()).isEqualTo(why);
        assertThat(s.node("wf.a").phase()).isEqualTo(NodePhase.FAILED);
        assertThat(s.node("wf.a").message()).isEqualTo(why);
        assertThat(s.has("wf.a[0].never")).isFalse();
        s.succeeds("wf.b").isFinished(WorkflowPhase.SUCCEEDED, null);
    }
}
