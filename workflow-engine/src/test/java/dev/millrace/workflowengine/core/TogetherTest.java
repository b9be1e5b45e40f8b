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
    void anAttemptThatWaitedForASlotDoesNotStartAtTheDeadline() {
        Scenario s = Scenario.given(retriedBesideAnother("retryStrategy: {limit: 2}"));
        s.fails("wf.a(0)", 1);
        assertThat(s.running()).containsExactly("wf.b");
        s.after(Duration.ofSeconds(60));
        assertThat(s.has("wf.a(1)")).isFalse();
        assertThat(s.node("wf.a").message())
                .isEqualTo("retry exceeded workflow deadline 2026-01-01T00:01:00Z");
        s.endsAs(WorkflowPhase.FAILED);
    }

    @Test
    void anAttemptThatWaitedForASlotDoesNotStartAfterTheTimeForAttempts() {
        Scenario s =
                Scenario.given(
                        retriedBesideAnother(
                                "retryStrategy: {limit: 2, backoff: {duration: 1s, maxDuration: 5s}}"));
        s.fails("wf.a(0)", 1).after(Duration.ofSeconds(20)).succeeds("wf.b");
        assertThat(s.has("wf.a(1)")).isFalse();
        assertThat(s.node("wf.a").message()).isEqualTo("Max duration limit exceeded");
        s.endsAs(WorkflowPhase.FAILED);
    }

    private static String retriedBesideAnother(String strategy) {
        return """
               entrypoint: main
               parallelism: 1
               activeDeadlineSeconds: 60
               templates:
               - name: main
                 dag: {tasks: [{name: a, template: retried}, {name: b, template: t}]}
               - name: retried
                 %s
                 container: {image: x}
               - name: t
                 container: {image: x}
               """
                .formatted(strategy);
    }

    @Test
    void aFirstAttemptThatWaitedForASlotIsMadeOnceAtTheDeadline() {
        Scenario s =
                Scenario.given(
                        """
                        entrypoint: main
                        parallelism: 1
                        activeDeadlineSeconds: 5
                        templates:
                        - name: main
                          dag: {tasks: [{name: z, template: retried}, {name: b, template: t}]}
                        - name: retried
                          retryStrategy: {limit: 2}
                          synchronization: {mutexes: [{name: m}]}
                          container: {image: x}
                        - name: t
                          container: {image: x}
                        """);
        s.granted("wf.z");
        assertThat(s.running()).containsExactly("wf.b");
        s.after(Duration.ofSeconds(5));
        assertThat(s.node("wf.z(0)").message()).isEqualTo("Step exceeded its deadline");
        assertThat(s.has("wf.z(1)")).isFalse();
        s.endsAs(WorkflowPhase.FAILED);
    }

    @Test
    void aTaskThatWaitsForASlotDoesNotKeepItsDagFromFailing() {
        Scenario s =
                Scenario.given(
                        """
                        entrypoint: main
                        parallelism: 1
                        templates:
                        - name: main
                          dag:
                            tasks:
                            - {name: a, template: inner}
                            - {name: q, template: pause}
                            - {name: b, template: t, depends: q}
                        - name: inner
                          dag:
                            tasks:
                            - {name: p, template: pause}
                            - {name: k, template: t}
                            - {name: l, template: t, depends: p}
                            - {name: m, template: t, depends: p.Failed}
                        - name: pause
                          suspend: {}
                        - name: t
                          container: {image: x}
                        """);
        s.resume("displayName=q").fails("wf.a.k", 1);
        assertThat(s.running()).containsExactly("wf.b");
        s.resume("displayName=p")
                .phases(Map.of("wf.a", NodePhase.FAILED, "wf.a.m", NodePhase.OMITTED));
        s.succeeds("wf.b").endsAs(WorkflowPhase.FAILED);
        assertThat(s.has("wf.a.l")).isFalse();
    }

    @Test
    void aDagThatFailFastEndsWaitsForTheHookOfTheLoopThatItCutShort() {
        Scenario s =
                Scenario.given(
                        """
                        entrypoint: main
                        templates:
                        - name: main
                          parallelism: 1
                          failFast: true
                          dag:
                            tasks:
                            - {name: a, template: t}
                            - name: l
                              template: t
                              withItems: [1, 2]
                              hooks:
                                h: {template: t, expression: 'tasks["l"].status == "Running"'}
                        - name: t
                          container: {image: x}
                        """);
        s.fails("wf.a", 1);
        assertThat(s.running()).containsExactly("wf.l.hooks.h");
        s.phases(Map.of("wf.l", NodePhase.RUNNING, "wf", NodePhase.RUNNING));
        s.succeeds("wf.l.hooks.h").isFinished(WorkflowPhase.FAILED, StepsRun.FAIL_FAST);
    }

    @Test
    void aDagThatFailFastEndsDoesNotWaitForItsOwnHook() {
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
                          parallelism: 1
                          failFast: true
                          dag:
                            tasks:
                            - {name: k, template: t}
                            - {name: l, template: t, withItems: [1, 2]}
                        - name: t
                          container: {image: x}
                        """);
        s.fails("wf[0].a.k", 1);
        assertThat(s.running()).containsExactly("wf[0].a.hooks.h");
        s.phases(Map.of("wf[0].a", NodePhase.FAILED));
        s.succeeds("wf[0].a.hooks.h").endsAs(WorkflowPhase.FAILED);
    }
}
