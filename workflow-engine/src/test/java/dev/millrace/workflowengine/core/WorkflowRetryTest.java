package dev.millrace.workflowengine.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.record.CommandAnswer;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.WorkflowPhase;
import dev.millrace.workflowengine.state.NodeLists;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Stories of workflows that are taken up again. */
final class WorkflowRetryTest {
    private static final String TASKS =
            """
            entrypoint: main
            onExit: bye
            activeDeadlineSeconds: 100
            arguments: {parameters: [{name: items, value: '["x","y"]'}]}
            templates:
            - name: main
              dag:
                tasks:
                - {name: a, template: run}
                - {name: b, template: run, depends: a}
                - {name: c, template: run, depends: a, withParam: "{{workflow.parameters.items}}"}
                - {name: d, template: run, depends: b && c}
            - name: run
              container: {image: busybox, command: [run]}
            - name: bye
              container: {image: busybox, command: [run]}
            """;

    private static Scenario failedAtB() {
        return Scenario.given(TASKS)
                .succeeds("wf.a")
                .succeeds("wf.c(0:x)")
                .succeeds("wf.c(1:y)")
                .fails("wf.b", 1)
                .succeeds("wf.onExit")
                .isFinished(WorkflowPhase.FAILED, null);
    }

    @Test
    void whatFailedRunsAgainAndWhatDependsOnItAndTheExitHandler() {
        Scenario s = failedAtB();
        String before = s.node("wf.b").stepId();
        s.retry();
        assertThat(s.head().phase()).isEqualTo(WorkflowPhase.RUNNING);
        assertThat(s.head().finishedAt()).isNull();
        assertThat(s.running()).containsExactly("wf.b");
        assertThat(s.node("wf.b").stepId()).isNotEqualTo(before);
        assertThat(s.has("wf.d")).isFalse();
        s.succeeds("wf.b").succeeds("wf.d").succeeds("wf.onExit");
        s.isFinished(WorkflowPhase.SUCCEEDED, null);
        assertThat(s.state().children("wf-" + hash(s, "wf.a"))).hasSize(2).doesNotHaveDuplicates();
    }

    private static String hash(Scenario s, String node) {
        return s.node(node).id().substring("wf-".length());
    }

    @Test
    void whatARetryThatWasCutOffHadNotedIsForgotten() {
        Scenario s = failedAtB();
        s.state().addChildren(NodeLists.MARKED, List.of("wf-of-another-life"));
        s.state().addChildren(NodeLists.PRUNED, List.of("wf-of-another-life"));
        s.retry().succeeds("wf.b").succeeds("wf.d").succeeds("wf.onExit");
        s.isFinished(WorkflowPhase.SUCCEEDED, null);
        assertThat(s.state().childCount(NodeLists.MARKED)).isZero();
        assertThat(s.state().childCount(NodeLists.PRUNED)).isZero();
    }

    @Test
    void aDaemonRunsAgainForWhatRunsAgain() {
        Scenario s =
                Scenario.given(
                        """
                        entrypoint: main
                        templates:
                        - name: main
                          dag:
                            tasks:
                            - {name: server, template: serve}
                            - {name: a, template: run, depends: server}
                            - {name: other, template: run}
                            - {name: b, template: run, depends: a && other}
                        - name: serve
                          daemon: true
                          container: {image: busybox, command: [serve]}
                        - name: run
                          container: {image: busybox, command: [run]}
                        """);
        s.starts("wf.server").ready("wf.server", "10.0.0.7");
        s.succeeds("wf.other").succeeds("wf.a").fails("wf.b", 1);
        String before = s.node("wf.server").stepId();
        s.isGone("wf.server").isFinished(WorkflowPhase.FAILED, null);

        s.retry();
        assertThat(s.running()).containsExactly("wf.server");
        assertThat(s.node("wf.server").stepId()).isNotEqualTo(before);
        s.starts("wf.server").ready("wf.server", "10.0.0.8").succeeds("wf.a").succeeds("wf.b");
        s.isGone("wf.server").isFinished(WorkflowPhase.SUCCEEDED, null);
    }

    @Test
    void onlyWhatHasFailedCanBeRetried() {
        Scenario s = Scenario.given(TASKS).retry();
        assertThat(s.lastAnswer())
                .isEqualTo(
                        new CommandAnswer(
                                "command-0",
                                CommandAnswer.FAILED_PRECONDITION,
                                "Cannot retry a workflow in phase Running"));
        s.succeeds("wf.a").succeeds("wf.b").succeeds("wf.c(0:x)").succeeds("wf.c(1:y)");
        s.succeeds("wf.d").succeeds("wf.onExit").isFinished(WorkflowPhase.SUCCEEDED, null);
        s.retry(true, null, Map.of());
        assertThat(s.lastAnswer().message())
                .startsWith("Cannot retry a workflow in phase Succeeded: give restartSuccessful");
        s.retry(true, "nonsense", Map.of());
        assertThat(s.lastAnswer().code()).isEqualTo(CommandAnswer.INVALID_ARGUMENT);
    }

    @Test
    void aSelectorPicksWhatRunsAgainAlthoughItSucceeded() {
        Scenario s = Scenario.given(TASKS);
        s.succeeds("wf.a").succeeds("wf.b").succeeds("wf.c(0:x)").succeeds("wf.c(1:y)");
        s.succeeds("wf.d").succeeds("wf.onExit").isFinished(WorkflowPhase.SUCCEEDED, null);
        s.retry(true, "displayName=c(1:y)", Map.of());
        assertThat(s.running()).containsExactly("wf.c(1:y)");
        s.succeeds("wf.c(1:y)");
        assertThat(s.running()).containsExactly("wf.d");
        s.succeeds("wf.d").succeeds("wf.onExit").isFinished(WorkflowPhase.SUCCEEDED, null);
    }

    @Test
    void aLoopGetsTheItemsOfAChangedParameter() {
        Scenario s = failedAtB().retry(false, null, Map.of("items", "[\"x\",\"z\",\"q\"]"));
        assertThat(s.lastAnswer().accepted()).isTrue();
        assertThat(s.has("wf.c(1:y)")).isFalse();
        assertThat(s.node("wf.c(0:x)").phase()).isEqualTo(NodePhase.SUCCEEDED);
        assertThat(s.running()).containsExactlyInAnyOrder("wf.b", "wf.c(1:z)", "wf.c(2:q)");
        assertThat(s.state().children(s.node("wf.c").id()))
                .containsExactly(
                        s.node("wf.c(0:x)").id(),
                        s.node("wf.c(1:z)").id(),
                        s.node("wf.c(2:q)").id());
        s.succeeds("wf.b").succeeds("wf.c(1:z)").succeeds("wf.c(2:q)");
        s.succeeds("wf.d").succeeds("wf.onExit").isFinished(WorkflowPhase.SUCCEEDED, null);
        assertThat(s.state().source().manifest().path("spec").path("arguments").toString())
                .contains("z");
    }

    @Test
    void theDeadlineCountsAnew() {
        Scenario s = failedAtB().after(Duration.ofSeconds(90)).retry();
        s.after(Duration.ofSeconds(90));
        assertThat(s.running()).containsExactly("wf.b");
        s.after(Duration.ofSeconds(20)).succeeds("wf.onExit");
        s.isFinished(WorkflowPhase.FAILED, null);
        assertThat(s.node("wf.b").message()).isEqualTo("Step exceeded its deadline");
    }

    @Test
    void aFailedExitHandlerAloneRunsAgain() {
        Scenario s = Scenario.given(TASKS);
        s.succeeds("wf.a").succeeds("wf.b").succeeds("wf.c(0:x)").succeeds("wf.c(1:y)");
        s.succeeds("wf.d").fails("wf.onExit", 3);
        assertThat(s.head().phase()).isEqualTo(WorkflowPhase.FAILED);
        s.retry();
        assertThat(s.running()).containsExactly("wf.onExit");
        s.succeeds("wf.onExit").isFinished(WorkflowPhase.SUCCEEDED, null);
    }

    @Test
    void attemptsCountAnewAndStepsInsideTheLastOneAreKept() {
        Scenario s =
                Scenario.given(
                        """
                        entrypoint: main
                        templates:
                        - name: main
                          retryStrategy: {limit: 1}
                          steps:
                          - - {name: one, template: run}
                          - - {name: two, template: run}
                        - name: run
                          container: {image: busybox, command: [run]}
                        """);
        s.succeeds("wf(0)[0].one").fails("wf(0)[1].two", 1);
        s.succeeds("wf(1)[0].one").fails("wf(1)[1].two", 1);
        assertThat(s.head().message()).isEqualTo("No more retries left");
        s.retry();
        assertThat(s.running()).containsExactly("wf(1)[1].two");
        assertThat(s.has("wf(0)")).isFalse();
        s.fails("wf(1)[1].two", 1);
        assertThat(s.running()).containsExactly("wf(2)[0].one");
        s.succeeds("wf(2)[0].one").succeeds("wf(2)[1].two");
        s.isFinished(WorkflowPhase.SUCCEEDED, null);
    }

    @Test
    void slotsOfALimitHoldForNodesThatAreReopened() {
        Scenario s =
                Scenario.given(
                        """
                        entrypoint: main
                        templates:
                        - name: main
                          parallelism: 1
                          dag:
                            tasks:
                            - {name: a, template: inner, withItems: [1, 2, 3]}
                        - name: inner
                          steps:
                          - - {name: s, template: run}
                        - name: run
                          container: {image: busybox, command: [run]}
                        """);
        for (int i = 0; i < 3; i++) {
            s.fails("wf.a(%d:%d)[0].s".formatted(i, i + 1), 1);
        }
        s.retry();
        for (int i = 0; i < 3; i++) {
            String step = "wf.a(%d:%d)[0].s".formatted(i, i + 1);
            assertThat(s.running()).containsExactly(step);
            s.succeeds(step);
        }
        s.isFinished(WorkflowPhase.SUCCEEDED, null);
    }

    @Test
    void theResultOfAStepOfTheLastRunIsIgnored() {
        Scenario s = Scenario.given(TASKS);
        var old = s.requested("wf.a");
        s.terminate();
        assertThat(s.head().phase()).isEqualTo(WorkflowPhase.FAILED);
        s.retry();
        int inputs = s.history().size();
        s.late(old);
        assertThat(s.history().get(inputs).events()).isEmpty();
        assertThat(s.running()).containsExactly("wf.a");
    }
}
