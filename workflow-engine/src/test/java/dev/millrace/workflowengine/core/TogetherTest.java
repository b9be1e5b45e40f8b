package dev.millrace.workflowengine.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.WorkflowPhase;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Where hooks, limits, failures, deadlines and shutdowns meet. */
final class TogetherTest {

    @Test
    void aDagDoesNotEndBeforeTasksThatMayStartHaveStarted() {
        Scenario.given(
                        """
                        entrypoint: main
                        templates:
                        - name: main
                          dag:
                            tasks:
                            - {name: a, template: t}
                            - {name: b, template: t, depends: a}
                            - {name: c, template: t, depends: a}
                            - {name: d, template: t, depends: b.Omitted}
                        - name: t
                          container: {image: x}
                        """)
                .fails("wf.a", 1)
                .phases(
                        Map.of(
                                "wf.b", NodePhase.OMITTED,
                                "wf.c", NodePhase.OMITTED,
                                "wf.d", NodePhase.PENDING))
                .succeeds("wf.d")
                .endsAs(WorkflowPhase.FAILED);
    }

    @Test
    void aHookOfAGroupStartsAsSoonAsTheGroupRuns() {
        Scenario s =
                Scenario.given(
                        """
                        entrypoint: main
                        templates:
                        - name: main
                          steps:
                          - - name: a
                              template: inner
                              hooks:
                                h: {template: t, expression: 'steps["a"].status == "Running"'}
                        - name: inner
                          dag: {tasks: [{name: k, template: t}]}
                        - name: t
                          container: {image: x}
                        """);
        assertThat(s.running()).contains("wf[0].a.hooks.h");
        s.succeeds("wf[0].a.k");
        // A DAG waits for its own hooks, and ends when they do.
        s.succeeds("wf[0].a.hooks.h").isFinished(WorkflowPhase.SUCCEEDED, null);
    }

    @Test
    void aDagThatWaitedForAHookOfTheWorkflowEndsWithIt() {
        Scenario.given(
                        """
                        entrypoint: main
                        hooks:
                          h: {template: t, expression: workflow.status == "Running"}
                        templates:
                        - name: main
                          dag: {tasks: [{name: k, template: t}]}
                        - name: t
                          container: {image: x}
                        """)
                .succeeds("wf.k")
                .succeeds("wf.hooks.h")
                .isFinished(WorkflowPhase.SUCCEEDED, null);
    }

    @Test
    void hooksKeepToTheLimitOfTheWorkflow() {
        Scenario s =
                Scenario.given(
                        """
                        entrypoint: main
                        parallelism: 1
                        templates:
                        - name: main
                          steps:
                          - - {name: a, template: t, onExit: t}
                            - {name: b, template: t}
                        - name: t
                          container: {image: x}
                        """);
        s.succeeds("wf[0].a");
        assertThat(s.running()).hasSize(1);
        s.succeeds(s.running().getFirst());
        assertThat(s.running()).hasSize(1);
        s.succeeds(s.running().getFirst()).isFinished(WorkflowPhase.SUCCEEDED, null);
        assertThat(s.requests()).contains("wf[0].a.onExit", "wf[0].b");
    }

    @Test
    void otherHooksOfALoopInADagBelongToTheLoopAndExitHandlersToEachItemToo() {
        Scenario s =
                Scenario.given(
                        """
                        entrypoint: main
                        templates:
                        - name: main
                          dag:
                            tasks:
                            - name: a
                              template: t
                              withItems: [x]
                              hooks:
                                exit: {template: t}
                                h: {template: t, expression: 'tasks["a"].status == "Running"'}
                        - name: t
                          container: {image: x}
                        """);
        s.starts("wf.a(0:x)");
        assertThat(s.running()).containsExactlyInAnyOrder("wf.a(0:x)", "wf.a.hooks.h");
        s.succeeds("wf.a(0:x)");
        assertThat(s.running()).contains("wf.a(0:x).onExit");
        s.succeeds("wf.a(0:x).onExit").succeeds("wf.a.hooks.h");
        assertThat(s.running()).containsExactly("wf.a.onExit");
        s.succeeds("wf.a.onExit").isFinished(WorkflowPhase.SUCCEEDED, null);
    }

    @Test
    void nothingStartsAfterTheDeadline() {
        Scenario s =
                Scenario.given(
                        """
                        entrypoint: main
                        activeDeadlineSeconds: 5
                        templates:
                        - name: main
                          steps:
                          - - {name: a, template: t, continueOn: {failed: true}}
                          - - {name: b, template: t}
                        - name: t
                          container: {image: x}
                        """);
        s.after(Duration.ofSeconds(6));
        assertThat(s.running()).isEmpty();
        assertThat(s.requests()).containsExactly("wf[0].a");
        assertThat(s.node("wf[1].b").message()).isEqualTo("Step exceeded its deadline");
        s.endsAs(WorkflowPhase.FAILED);
    }

    @Test
    void noAttemptStartsAtTheVeryDeadline() {
        Scenario s =
                Scenario.given(
                        """
                        entrypoint: t
                        activeDeadlineSeconds: 5
                        templates:
                        - name: t
                          retryStrategy: {limit: 3}
                          container: {image: x}
                        """);
        s.after(Duration.ofSeconds(5));
        assertThat(s.has("wf(1)")).isFalse();
        s.isFinished(WorkflowPhase.FAILED, "retry exceeded workflow deadline 2026-01-01T00:00:05Z");
    }

    @Test
    void nothingOfAnExitHandlerStartsAfterTerminate() {
        Scenario s =
                Scenario.given(
                        """
                        entrypoint: t
                        onExit: bye
                        templates:
                        - name: bye
                          steps:
                          - - {name: a, template: t, continueOn: {failed: true}}
                          - - {name: b, template: t}
                        - name: t
                          container: {image: x}
                        """);
        s.succeeds("wf").terminate();
        assertThat(s.running()).isEmpty();
        assertThat(s.requests()).containsExactly("wf", "wf.onExit[0].a");
        s.endsAs(WorkflowPhase.FAILED);
    }

    @Test
    void aWorkflowThatIsStoppedInItsExitHandlerSaysSoIfItHadFailed() {
        Scenario.given(
                        """
                        entrypoint: t
                        onExit: t
                        templates:
                        - name: t
                          container: {image: x}
                        """)
                .fails("wf", 1)
                .stop()
                .succeeds("wf.onExit")
                .isFinished(WorkflowPhase.FAILED, "Stopped with strategy 'Stop'");
    }

    @Test
    void hooksInAnExitHandlerRunOnAfterAStop() {
        Scenario s =
                Scenario.given(
                        """
                        entrypoint: t
                        onExit: bye
                        templates:
                        - name: bye
                          steps:
                          - - name: a
                              template: t
                              hooks:
                                h: {template: t, expression: 'steps["a"].status == "Running"'}
                        - name: t
                          container: {image: x}
                        """);
        s.succeeds("wf").starts("wf.onExit[0].a").stop();
        assertThat(s.running())
                .containsExactlyInAnyOrder("wf.onExit[0].a", "wf.onExit[0].a.hooks.h");
        s.succeeds("wf.onExit[0].a")
                .succeeds("wf.onExit[0].a.hooks.h")
                .isFinished(WorkflowPhase.SUCCEEDED, null);
    }

    @Test
    void whatHoldsALockDoesNotWaitForTheSlotOfWhatWaitsForTheLock() {
        Scenario s =
                Scenario.given(
                        """
                        entrypoint: main
                        templates:
                        - name: main
                          parallelism: 1
                          steps:
                          - - {name: a, template: retried}
                            - {name: b, template: t}
                        - name: retried
                          retryStrategy: {limit: 1}
                          synchronization: {mutexes: [{name: m}]}
                          container: {image: x}
                        - name: t
                          synchronization: {mutexes: [{name: m}]}
                          container: {image: x}
                        """);
        // The Retry node takes no slot, so the other one has it while it waits for the lock.
        s.granted("wf[0].a");
        assertThat(s.running()).containsExactly("wf[0].a(0)");
        s.succeeds("wf[0].a(0)").granted("wf[0].b").succeeds("wf[0].b");
        s.isFinished(WorkflowPhase.SUCCEEDED, null);
    }

    @Test
    void aDagWhoseTasksWaitForASlotEndsWithAStop() {
        Scenario s =
                Scenario.given(
                        """
                        entrypoint: main
                        parallelism: 1
                        templates:
                        - name: main
                          steps:
                          - - {name: a, template: t, onExit: t}
                            - {name: b, template: inner}
                        - name: inner
                          dag: {tasks: [{name: k, template: t}]}
                        - name: t
                          container: {image: x}
                        """);
        s.stop();
        assertThat(s.running()).containsExactly("wf[0].a.onExit");
        s.succeeds("wf[0].a.onExit").endsAs(WorkflowPhase.FAILED);
    }

    @Test
    void aPauseThatWouldStartAfterAStopHasTheMessageOfPauses() {
        Scenario s =
                Scenario.given(
                        """
                        entrypoint: main
                        templates:
                        - name: main
                          steps:
                          - - {name: a, template: t, continueOn: {failed: true}}
                          - - {name: b, template: p}
                        - name: t
                          container: {image: x}
                        - name: p
                          suspend: {}
                        """);
        s.stop();
        assertThat(s.node("wf[1].b").message()).isEqualTo("Stopped with strategy 'Stop'");
    }

    @Test
    void aStopEndsARetryThatPauses() {
        Scenario.given(
                        """
                        entrypoint: t
                        templates:
                        - name: t
                          retryStrategy: {limit: 2, backoff: {duration: 1m}}
                          container: {image: x}
                        """)
                .fails("wf(0)", 1)
                .stop()
                .isFinished(WorkflowPhase.FAILED, "Stopped with strategy 'Stop'");
    }

    @Test
    void theTimeForAttemptsCountsFromTheStartOfTheFirst() {
        Scenario s =
                Scenario.given(
                        """
                        entrypoint: t
                        templates:
                        - name: t
                          retryStrategy: {limit: 5, backoff: {duration: 2s, maxDuration: 7s}}
                          container: {image: x}
                        """);
        s.after(Duration.ofSeconds(1)).fails("wf(0)", 1).after(Duration.ofSeconds(2));
        s.after(Duration.ofSeconds(3)).fails("wf(1)", 1);
        s.isFinished(WorkflowPhase.FAILED, "Backoff would exceed max duration limit");
    }

    @Test
    void itemsThatFailAtOnceKeepFailFastFromMakingTheNext() {
        Scenario s =
                Scenario.given(
                        """
                        entrypoint: main
                        templates:
                        - name: main
                          steps:
                          - - {name: a, template: t, continueOn: {failed: true}}
                          - - {name: b, template: inner}
                        - name: inner
                          failFast: true
                          steps:
                          - - {name: l, template: t, withItems: [1, 2]}
                        - name: t
                          container: {image: x}
                        """);
        s.stop();
        assertThat(s.has("wf[1].b[0].l(0:1)")).isTrue();
        assertThat(s.has("wf[1].b[0].l(1:2)")).isFalse();
        assertThat(s.node("wf[1].b").message()).isEqualTo(StepsRun.FAIL_FAST);
    }
}
